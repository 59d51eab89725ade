import { stateLabels } from "#domain/application.ts";
import type { BulkAct } from "#domain/bulk-run.ts";
import { documentLabel } from "#domain/document.ts";
import type { Verdict } from "#domain/duplicates.ts";
import { messageOf } from "#domain/error-catalogue.ts";
import { queueNames } from "#domain/job-names.ts";
import { formatMoney } from "#domain/money.ts";
import { profileFields, profileLabel } from "#domain/profile.ts";
import { taskStateLabels } from "#domain/task.ts";

/** Parts of an entry's detail that name an account by its id. */
export const auditPeople = ["agent", "former", "winner"] as const;

/** The parts that an entry's detail can have, each with its label. */
const labels = {
  agent: "New agent",
  former: "Former agent",
  to: "To",
  from: "From",
  refusal: "Answer",
  kind: "What",
  fields: "Changed",
  by: "By",
  as: "In",
  application: "Application",
  condition: "Condition",
  document: "Document",
  note: "Note",
  thread: "Conversation",
  message: "Message",
  file: "File",
  product: "Item",
  report: "Report",
  item: "Shortlist item",
  outcome: "Outcome",
  winner: "Winner",
  winningBid: "Winning bid",
  sale: "Sale",
  strike: "Strike",
  reason: "Reason",
  because: "Because",
  queue: "Job",
  job: "Id",
  key: "Key",
  scopes: "May",
  webhook: "Webhook",
  institution: "Institution",
  into: "Into",
  other: "And",
  programme: "Programme",
  group: "Group",
  equivalence: "Grade",
  import: "Import",
  source: "Source",
  added: "Added",
  changed: "Changed",
  restored: "Restored",
  removed: "Removed",
  left: "Codes left",
  elsewhere: "Other devices",
  procedure: "Call",
  count: "Times",
  things: "Of",
  virus: "Virus",
  actor: "Who",
  subject: "Whom",
  action: "Action",
  before: "Before",
  right: "By right of",
  session: "Session",
  request: "Request",
  task: "Task",
  state: "State",
  template: "Template",
  decision: "Decision",
  verdict: "Verdict",
  invitation: "Invitation",
  act: "Act",
  run: "Run",
  rows: "Rows",
  columns: "Columns",
  filters: "Filters",
  until: "Until",
  swapped: "Swapped with",
  hash: "Hash of the list",
  part: "Part",
  change: "Change",
  head: "End of the log",
  next: "Next to check",
  problem: "Problem",
  problemBefore: "Problem of an earlier check",
  files: "Files",
  problems: "Problems",
} as const;
type AuditDetailKey = keyof typeof labels;

/** Everything in an entry besides action, actor and subject: ids, codes and reasons. */
export type AuditDetail = { readonly [Key in AuditDetailKey]?: string };

const isAuditDetailKey = (key: string): key is AuditDetailKey => Object.hasOwn(labels, key);

const bulkActNames: Record<BulkAct, string> = {
  assign: "Assigned to an agent",
  move: "Applications moved on",
  message: "Sent a message",
  task: "Gave a task",
  request: "Asked for a document",
  invite: "Invited",
  import: "Brought in from a file",
  takeBack: "Gave students of an earlier act back",
};

const verdictNames: Record<Verdict, string> = { same: "One person", different: "Different people" };

const movable: Readonly<Record<string, string>> = { ...stateLabels, ...documentLabel };

/** Labels for values whose meaning depends on their part. */
const valueNames: { readonly [Key in AuditDetailKey]?: Readonly<Record<string, string>> } = {
  // An application moves between its states, a document between its slots.
  from: movable,
  to: movable,
  kind: documentLabel,
  refusal: messageOf,
  queue: queueNames,
  state: taskStateLabels,
  verdict: verdictNames,
  act: bulkActNames,
};

const names: Readonly<Record<string, string>> = {
  authenticator: "Authenticator app",
  passkey: "Passkey",
  picture: "Picture",
  "offer-letter": "Offer letter",
  "message-file": "File of a message",
  qualification: "Qualification",
  test: "Test",
  work: "Work",
  record: "Record",
  export: "Export",
  "student-file": "All of a student's documents",
  email: "Email",
  seller: "Seller",
  admin: "Administrator",
  agent: "Assigned agent",
  account: "Lost account",
  sold: "Sold",
  unsold: "Not sold",
};

const fieldNames = (text: string): string =>
  text
    .split(/[ ,]+/)
    .map((name) => {
      const field = profileFields.find((each) => each === name);
      return field ? profileLabel[field] : name;
    })
    .join(", ");

/** `people`: names by account id. A value without a label is returned as it is. */
function valueInWords(key: string, value: string, people: Readonly<Record<string, string>>): string {
  if (auditPeople.some((each) => each === key)) return people[value] ?? value;
  if (key === "fields") return fieldNames(value);
  if (key === "winningBid" && /^\d+$/.test(value)) return formatMoney(Number(value));
  return (isAuditDetailKey(key) ? valueNames[key]?.[value] : undefined) ?? names[value] ?? value;
}

/** Formats an entry's detail for admins, such as "From: Submitted · To: In review". */
export const auditDetailInWords = (
  detail: Readonly<Record<string, string>>,
  people: Readonly<Record<string, string>>,
): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== "")
    .map(
      ([key, value]) => `${isAuditDetailKey(key) ? labels[key] : key}: ${valueInWords(key, value, people)}`,
    )
    .join(" · ");
