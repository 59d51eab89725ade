import { applicationStates, stateLabels } from "#domain/application.ts";
import { documentKinds, documentLabel } from "#domain/document.ts";
import { messageOf } from "#domain/error-catalogue.ts";
import { formatMoney } from "#domain/money.ts";
import { profileFields, profileLabel } from "#domain/profile.ts";

/** Parts of an entry's detail that name an account by its id. */
export const auditPeople = ["agent", "former", "winner"] as const;

const labels: Readonly<Record<string, string>> = {
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
  columns: "Columns",
  filters: "Filters",
  rows: "Rows",
};

const names: Readonly<Record<string, string>> = {
  authenticator: "Authenticator app",
  passkey: "Passkey",
  picture: "Picture",
  "offer-letter": "Offer letter",
  "message-file": "File of a message",
  "student-file": "All of a student's documents",
  email: "Email",
  seller: "Seller",
  admin: "Administrator",
  agent: "Assigned agent",
  account: "Lost account",
  sold: "Sold",
  unsold: "Not sold",
  mail: "Email",
  "tidy-up": "Nightly tidy-up",
};

const fieldNames = (text: string): string =>
  text
    .split(/[ ,]+/)
    .map((name) => {
      const field = profileFields.find((each) => each === name);
      return field ? profileLabel[field] : name;
    })
    .join(", ");

/** `people`: names by account id. A value that has no words stands as it is. */
function valueInWords(key: string, value: string, people: Readonly<Record<string, string>>): string {
  if (auditPeople.some((each) => each === key)) return people[value] ?? value;
  if (key === "fields") return fieldNames(value);
  if (key === "winningBid" && /^\d+$/.test(value)) return formatMoney(Number(value));
  if (key === "refusal") return Object.entries(messageOf).find(([code]) => code === value)?.[1] ?? value;
  const state = key === "to" || key === "from" ? applicationStates.find((each) => each === value) : undefined;
  const kind = key === "kind" ? documentKinds.find((each) => each === value) : undefined;
  if (state) return stateLabels[state];
  return kind ? documentLabel[kind] : (names[value] ?? value);
}

/** An entry's detail as admins read it, such as "From: Submitted · To: In review". */
export const auditDetailInWords = (
  detail: Readonly<Record<string, string>>,
  people: Readonly<Record<string, string>>,
): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${labels[key] ?? key}: ${valueInWords(key, value, people)}`)
    .join(" · ");
