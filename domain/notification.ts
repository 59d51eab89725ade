import type { Role } from "#domain/account.ts";
import { applicationDetails, applicationTitle } from "#domain/application-news.ts";
import { accountKeptText } from "#domain/deletion.ts";
import { keysOf } from "#domain/keys-of.ts";

export type About = Readonly<Record<string, string>>;
/**
 * `label` names the kind where its emails are switched off. `title` says what happened: it heads the bell's entry and is
 * the email's subject. `details` adds what the title leaves out.
 */
type Words = {
  label: string;
  title(about: About): string;
  details?(about: About): string;
  button: string;
};

const because = ({ reason = "" }: About) => reason && ` Reason: ${reason}`;

/**
 * The words of the bell and of emails. Each kind of mail can be switched off. `about` brings the names: student,
 * students, agent, agency, document, reason, program, intake, state, from, note, product, price, day, kept, voided,
 * problem, webhook. In news of a sale, `day` is the day until which the other one, who is leaving, can be reached, `kept`
 * the day until which the reader's own account is kept when they are leaving, and `voided` a higher bid that doesn't count.
 */
const words = {
  agentAssigned: {
    label: "You have a new agent",
    title: ({ agent = "A new agent" }) => `${agent} is now your agent`,
    button: "Meet your agent",
  },
  studentAssigned: {
    label: "You have a new student",
    title: ({ student = "A student", students }) =>
      students
        ? `You have ${students.replace(" student", " new student")}`
        : `${student} is now your student`,
    button: "See the student",
  },
  studentReassigned: {
    label: "A student is no longer yours",
    title: ({ student = "A student", students = student }) =>
      areSeveral(students) ? `${students} are no longer yours` : `${students} is no longer your student`,
    details: ({ agent }) => (agent === undefined ? "" : `${agent} is now their agent.`),
    button: "View your students",
  },
  agentLost: {
    label: "Your agent can no longer help you",
    title: ({ agent = "Your agent" }) => `${agent} can no longer help you`,
    details: () => "We'll find you another agent.",
    button: "Open your dashboard",
  },
  studentsLeft: {
    label: "Students need a new agent",
    title: ({ students = "Some students" }) =>
      `${students} ${areSeveral(students) ? "need" : "needs"} a new agent`,
    details: ({ agent }) => (agent === undefined ? "" : `${agent} is no longer an agent.`),
    button: "View unassigned students",
  },
  agentApplied: {
    label: "An agent has applied",
    title: ({ agent = "An agent", agency = "" }) =>
      `${agency ? `${agent} (${agency})` : agent} has applied as an agent`,
    button: "Review agents",
  },
  agentPace: {
    label: "An agent reached an hourly limit",
    title: ({ agent = "An agent" }) => `${agent} reached an hourly limit`,
    details: ({ what = "opening students' details and files" }) =>
      `The limit is for ${what}. Please check that this is expected.`,
    button: "Review agents",
  },
  agentLeaving: {
    label: "An agent is closing their account",
    title: ({ agent = "An agent", day }) =>
      `${agent} is closing their account${day === undefined ? "" : ` on ${day}`}`,
    details: () => "Please hand over their students.",
    button: "Review agents",
  },
  auditBroken: {
    label: "The audit log was changed",
    title: () => "The audit log was changed",
    details: ({ problem }) =>
      `The nightly check found that the audit log isn't what was written${problem === undefined ? "" : `. ${problem}`}. Please tell whoever runs your server right away.`,
    button: "Open the audit log",
  },
  accountKept: {
    label: "Your account is kept",
    title: () => "Your account is kept",
    details: () => accountKeptText,
    button: "See your data",
  },
  documentUploaded: {
    label: "A document is ready for review",
    title: ({ student = "A student", document = "a document" }) => `${student} uploaded: ${document}`,
    button: "Review documents",
  },
  documentApproved: {
    label: "A document was approved",
    title: ({ document = "A document" }) => `${document}: approved`,
    button: "See your documents",
  },
  documentRejected: {
    label: "A document was rejected",
    title: ({ document = "A document" }) => `${document}: please upload it again`,
    details: ({ reason = "" }) => `It was rejected.${reason && ` Reason: ${reason}`}`,
    button: "Upload a new file",
  },
  applicationMoved: {
    label: "An application was updated",
    title: applicationTitle,
    details: applicationDetails,
    button: "Open application",
  },
  outbid: {
    label: "You've been outbid",
    title: ({ product = "an item" }) => `You've been outbid on ${product}`,
    details: ({ price }) => (price === undefined ? "" : `The price is now ${price}.`),
    button: "Bid again",
  },
  auctionWon: {
    label: "You won an auction",
    title: ({ product = "an auction" }) => `You won ${product}`,
    details: ({ price = "your bid", ...about }) => `It's yours for ${price}. ${contact("seller", about)}`,
    button: "Contact the seller",
  },
  auctionLost: {
    label: "You didn't win an auction",
    title: ({ product = "an item" }) => `You didn't win ${product}`,
    details: ({ price = "a higher bid" }) => `It sold to another bidder for ${price}.`,
    button: "See the item",
  },
  auctionSold: {
    label: "Your item has been sold",
    title: ({ product = "Your item" }) => `Sold: ${product}`,
    details: ({ price = "the highest bid", ...about }) =>
      `It sold for ${price}. ${contact("buyer", about)}${voidedBid(about)}`,
    button: "Contact the buyer",
  },
  auctionUnsold: {
    label: "Your auction ended without a sale",
    title: ({ product = "Your item" }) => `Not sold: ${product}`,
    details: (about) => `It ended without a winning bid.${voidedBid(about)}`,
    button: "See the item",
  },
  auctionRemoved: {
    label: "An auction was withdrawn",
    // Only an admin gives a reason.
    title: ({ product = "An item", reason }) => `${reason ? "Removed" : "Withdrawn"}: ${product}`,
    details: (about) =>
      about["reason"]
        ? `An administrator took it off sale, so your bid no longer counts.${because(about)}`
        : "It has been withdrawn, so your bid no longer counts.",
    button: "See your bids",
  },
  ownAuctionRemoved: {
    label: "Your item was taken off sale",
    title: ({ product = "Your item" }) => `Taken off sale: ${product}`,
    details: (about) => `An administrator took it off sale.${because(about)}`,
    button: "See your products",
  },
  webhookStopped: {
    label: "A webhook was stopped",
    title: ({ webhook = "your server" }) => `Your webhook to ${webhook} was stopped`,
    details: (about) => `We've stopped sending to it.${because(about)} You can turn it on again.`,
    button: "See your webhooks",
  },
} satisfies Record<string, Words>;
export type NotificationKind = keyof typeof words;
export const notificationKinds = keysOf(words);
export const notificationWords: Record<NotificationKind, Words> = words;

/** All that a notification says, as an email has it: its title as a sentence, and the details. */
export function notificationText(kind: NotificationKind, about: About): string {
  const { title, details } = notificationWords[kind];
  const sentence = title(about).replace(/(?<![.!?…]"?)$/, ".");
  return `${sentence} ${details?.(about) ?? ""}`.trim();
}

const areSeveral = (students: string): boolean => /^(\d+|Some) students$/.test(students);

/** Says how buyer and seller find each other. */
function contact(other: "buyer" | "seller", { day, kept }: About): string {
  const details =
    kept === undefined
      ? `You'll find the ${other}'s contact details on the item page.`
      : `We keep your account until ${kept}, so that the ${other} can reach you by email.`;
  return day === undefined
    ? details
    : `${details} The ${other} is closing their account: please get in touch by ${day}.`;
}

const voidedBid = ({ voided }: About): string =>
  voided === undefined ? "" : ` The bid of ${voided} doesn't count, because we closed that bidder's account.`;

/** News that reach even somebody whose account is to be deleted: their bids and sales bind. */
export const newsWhileLeaving: ReadonlySet<NotificationKind> = new Set([
  "auctionWon",
  "auctionLost",
  "auctionSold",
  "auctionUnsold",
  "auctionRemoved",
]);

/** News for everyone who trades. */
const trading: readonly NotificationKind[] = [
  "outbid",
  "auctionWon",
  "auctionLost",
  "auctionSold",
  "auctionUnsold",
  "auctionRemoved",
  "ownAuctionRemoved",
];

/** News for each role. Each person can switch off the emails about theirs. */
export const notificationKindsOf: Record<Role, readonly NotificationKind[]> = {
  student: [
    "agentAssigned",
    "agentLost",
    "documentApproved",
    "documentRejected",
    "applicationMoved",
    ...trading,
  ],
  agent: [
    "studentAssigned",
    "studentReassigned",
    "documentUploaded",
    "applicationMoved",
    ...trading,
    "webhookStopped",
  ],
  admin: [
    "agentApplied",
    "studentsLeft",
    "agentPace",
    "agentLeaving",
    "auditBroken",
    ...trading,
    "webhookStopped",
  ],
};
