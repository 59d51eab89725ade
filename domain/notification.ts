import type { Role } from "#domain/account.ts";
import { accountKeptText } from "#domain/deletion.ts";
import { keysOf } from "#domain/keys-of.ts";

type About = Readonly<Record<string, string>>;
/** `title` heads the bell's entry and names the mail's switch; `subject` and `button` are the mail's. */
type Words = {
  title: string;
  subject(about: About): string;
  sentence(about: About): string;
  button: string;
};

const because = ({ reason = "" }: About) => reason && ` Reason: ${reason}`;

/**
 * What people are told by the bell and by mail. Each kind of mail can be switched off. `about` brings the names: student, students, agent, agency, document, reason, program, state,
 * product, price, day, kept, voided, problem, webhook. A `note` is added to the mail. Of a sale, `day` is until when the
 * other one can be reached who is leaving, `kept` until when the reader's own account is kept who is leaving, and `voided`
 * a higher bid that doesn't count.
 */
const words = {
  agentAssigned: {
    title: "You have a new agent",
    subject: ({ agent = "A new agent" }) => `${agent} is now your agent`,
    sentence: ({ agent = "A new agent" }) => `${agent} is now your agent.`,
    button: "Meet your agent",
  },
  studentAssigned: {
    title: "You have a new student",
    subject: ({ student = "A student", students }) =>
      students ? `${students} reassigned to you` : `${student} is now your student`,
    sentence: ({ student = "A student", students }) =>
      students ? `${students} reassigned to you.` : `${student} is now your student.`,
    button: "See the student",
  },
  studentReassigned: {
    title: "A student is no longer yours",
    subject: ({ student = "A student", students }) =>
      students ? `${students} reassigned` : `${student} is no longer your student`,
    sentence: ({ student = "A student", students, agent }) => {
      if (students) return `${students} reassigned${agent ? ` to ${agent}` : ""}.`;
      return `${student} is no longer your student.${agent === undefined ? "" : ` ${agent} is now their agent.`}`;
    },
    button: "View your students",
  },
  agentLost: {
    title: "Your agent can no longer help you",
    subject: ({ agent = "Your agent" }) => `${agent} can no longer help you`,
    sentence: ({ agent }) =>
      agent === undefined
        ? "You no longer have an agent. We'll find you another."
        : `${agent} is no longer your agent. We'll find you another.`,
    button: "Open your dashboard",
  },
  studentsLeft: {
    title: "Students need a new agent",
    subject: ({ students = "Some students" }) => needAgent(students),
    sentence: ({ agent = "An agent", students = "Some students" }) =>
      `${agent} is no longer an agent. ${needAgent(students)}.`,
    button: "View unassigned students",
  },
  agentApplied: {
    title: "An agent has applied",
    subject: (about) => `${applicant(about)} has applied as an agent`,
    sentence: (about) => `${applicant(about)} has applied and is waiting for approval.`,
    button: "Review agents",
  },
  agentPace: {
    title: "An agent reached an hourly limit",
    subject: ({ agent = "An agent" }) => `${agent} reached an hourly limit`,
    sentence: ({ agent = "An agent", what = "opening students' details and files" }) =>
      `${agent} reached the hourly limit for ${what}. Please check that this is expected.`,
    button: "Review agents",
  },
  agentLeaving: {
    title: "An agent is closing their account",
    subject: ({ agent = "An agent" }) => `${agent} is closing their account`,
    sentence: ({ agent = "An agent", day }) =>
      `${agent} is closing their account${day === undefined ? "" : ` on ${day}`}. Please hand over their students.`,
    button: "Review agents",
  },
  auditBroken: {
    title: "The audit log was changed",
    subject: () => "The audit log was changed",
    sentence: ({ problem }) =>
      `The nightly check found that the audit log isn't what was written${problem === undefined ? "" : `. ${problem}`}. Please tell whoever runs your server right away.`,
    button: "Open the audit log",
  },
  accountKept: {
    title: "Your account is kept",
    subject: () => "Your account is kept",
    sentence: () => accountKeptText,
    button: "See your data",
  },
  documentUploaded: {
    title: "A document is ready for review",
    subject: ({ student = "A student", document = "a document" }) => `${student} uploaded: ${document}`,
    sentence: ({ student = "A student", document = "a document" }) =>
      `${student} uploaded a document: ${document}.`,
    button: "Review documents",
  },
  documentApproved: {
    title: "A document was approved",
    subject: ({ document = "A document" }) => `${document}: approved`,
    sentence: ({ document = "A document" }) => `${document}: approved.`,
    button: "See your documents",
  },
  documentRejected: {
    title: "A document was rejected",
    subject: ({ document = "A document" }) => `${document}: please upload it again`,
    sentence: ({ document = "A document", reason = "" }) =>
      `${document}: rejected${reason && `. Reason: ${reason}`}`,
    button: "Upload a new file",
  },
  applicationMoved: {
    title: "An application was updated",
    subject: applicationNews,
    sentence: (about) => `${applicationNews(about)}.`,
    button: "Open application",
  },
  outbid: {
    title: "You've been outbid",
    subject: ({ product = "an item" }) => `You've been outbid on ${product}`,
    sentence: ({ product = "an item", price }) =>
      `You've been outbid on ${product}.${price === undefined ? "" : ` The price is now ${price}.`}`,
    button: "Bid again",
  },
  auctionWon: {
    title: "You won an auction",
    subject: ({ product = "an auction" }) => `You won ${product}`,
    sentence: ({ product = "The item", price = "your bid", ...about }) =>
      `${product} is yours for ${price}. ${contact("seller", about)}`,
    button: "Contact the seller",
  },
  auctionLost: {
    title: "You didn't win an auction",
    subject: ({ product = "an item" }) => `You didn't win ${product}`,
    sentence: ({ product = "The item", price = "a higher bid" }) =>
      `${product} sold to another bidder for ${price}.`,
    button: "See the item",
  },
  auctionSold: {
    title: "Your item has been sold",
    subject: ({ product = "Your item" }) => `Sold: ${product}`,
    sentence: ({ product = "Your item", price = "the highest bid", ...about }) =>
      `${product} sold for ${price}. ${contact("buyer", about)}${voidedBid(about)}`,
    button: "Contact the buyer",
  },
  auctionUnsold: {
    title: "Your auction ended without a sale",
    subject: ({ product = "Your item" }) => `Not sold: ${product}`,
    sentence: ({ product = "Your item", ...about }) =>
      `${product} ended without a winning bid.${voidedBid(about)}`,
    button: "See the item",
  },
  auctionRemoved: {
    title: "An auction was withdrawn",
    // Only an admin gives a reason.
    subject: ({ product = "An item", reason }) => `${reason ? "Removed" : "Withdrawn"}: ${product}`,
    sentence: (about) =>
      about["reason"]
        ? `An administrator took ${about["product"] ?? "an item"} off sale, so your bid no longer counts.${because(about)}`
        : `${about["product"] ?? "An item"} has been withdrawn, so your bid no longer counts.`,
    button: "See your bids",
  },
  ownAuctionRemoved: {
    title: "Your item was taken off sale",
    subject: ({ product = "Your item" }) => `Taken off sale: ${product}`,
    sentence: (about) =>
      `${about["product"] ?? "Your item"} was taken off sale by an administrator.${because(about)}`,
    button: "See your products",
  },
  webhookStopped: {
    title: "A webhook was stopped",
    subject: ({ webhook = "your server" }) => `Your webhook to ${webhook} was stopped`,
    sentence: (about) =>
      `We've stopped sending to ${about["webhook"] ?? "your server"}.${because(about)} You can turn it on again.`,
    button: "See your webhooks",
  },
} satisfies Record<string, Words>;
export type NotificationKind = keyof typeof words;
export const notificationKinds = keysOf(words);
/** What each kind says. */
export const notificationWords: Record<NotificationKind, Words> = words;

function needAgent(students: string): string {
  return `${students} ${students === "1 student" ? "needs" : "need"} a new agent`;
}

function applicant({ agent = "An agent", agency = "" }: About): string {
  return agency ? `${agent} (${agency})` : agent;
}

/** How buyer and seller find each other. */
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

/** The student is named to agents, who have many. */
function applicationNews({ student, program = "Your application", state = "updated" }: About): string {
  return `${student === undefined ? "" : `${student}, `}${program}: ${state}`;
}

/** News that reach even somebody whose account is to be deleted: their bids and sales bind. */
export const newsWhileLeaving: ReadonlySet<NotificationKind> = new Set([
  "auctionWon",
  "auctionLost",
  "auctionSold",
  "auctionUnsold",
  "auctionRemoved",
]);

/** What concerns everyone who trades. */
const trading: readonly NotificationKind[] = [
  "outbid",
  "auctionWon",
  "auctionLost",
  "auctionSold",
  "auctionUnsold",
  "auctionRemoved",
  "ownAuctionRemoved",
];

/** What concerns whom, and so whose mails each person can switch off. */
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
