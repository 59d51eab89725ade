import type { Role } from "#domain/account.ts";

/** What people are told by the bell and by mail. Each kind of mail can be switched off. */
export const notificationKinds = [
  "agentAssigned",
  "studentAssigned",
  "agentLost",
  "studentsLeft",
  "documentUploaded",
  "documentApproved",
  "documentRejected",
  "applicationMoved",
  "outbid",
  "auctionWon",
  "auctionLost",
  "auctionSold",
  "auctionUnsold",
  "auctionRemoved",
  "ownAuctionRemoved",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

type About = Readonly<Record<string, string>>;
type Words = { title: string; sentence(about: About): string };

/** What each kind says. `about` brings the names: student, students, agent, document, reason, program, state, product, price. */
export const notificationWords: Record<NotificationKind, Words> = {
  agentAssigned: {
    title: "An agent is assigned to you",
    sentence: ({ agent = "An agent" }) => `${agent} now guides you.`,
  },
  studentAssigned: {
    title: "A student is assigned to you",
    sentence: ({ student = "A student" }) => `${student} is now your student.`,
  },
  agentLost: {
    title: "You have no agent at the moment",
    sentence: ({ agent = "Your agent" }) =>
      `${agent} does not guide you any more. We will find another agent for you.`,
  },
  studentsLeft: {
    title: "Students need another agent",
    sentence: ({ agent = "An agent", students = "Some students" }) =>
      `${agent} does not guide students any more. Now without an agent: ${students}.`,
  },
  documentUploaded: {
    title: "A document is waiting for review",
    sentence: ({ student = "A student", document = "a document" }) => `${student} uploaded ${document}.`,
  },
  documentApproved: {
    title: "A document was approved",
    sentence: ({ document = "A document" }) => `${document} is approved.`,
  },
  documentRejected: {
    title: "A document was rejected",
    sentence: ({ document = "A document", reason = "" }) => `${document} was rejected: ${reason}`,
  },
  applicationMoved: {
    title: "An application has moved",
    sentence: ({ program = "An application", state = "another step" }) => `${program}: ${state}.`,
  },
  outbid: {
    title: "You were outbid",
    sentence: ({ product = "A product", price = "a higher amount" }) =>
      `Somebody bid more for ${product}: ${price}.`,
  },
  auctionWon: {
    title: "You won an auction",
    sentence: ({ product = "A product", price = "your bid" }) =>
      `${product} is yours for ${price}. The seller's contact details are on its page.`,
  },
  auctionLost: {
    title: "An auction ended without you",
    sentence: ({ product = "A product", price = "a higher bid" }) => `${product} was sold for ${price}.`,
  },
  auctionSold: {
    title: "Your product is sold",
    sentence: ({ product = "Your product", price = "the highest bid" }) =>
      `${product} is sold for ${price}. The buyer's contact details are on its page.`,
  },
  auctionUnsold: {
    title: "Your auction ended without a sale",
    sentence: ({ product = "Your product" }) => `Nobody bought ${product}.`,
  },
  auctionRemoved: {
    title: "An auction was taken off sale",
    sentence: ({ product = "A product", reason = "" }) =>
      `${product} is not for sale any more, and your bid does not count.${reason && ` Reason: ${reason}`}`,
  },
  ownAuctionRemoved: {
    title: "Your product was taken off sale",
    sentence: ({ product = "Your product", reason = "" }) =>
      `${product} was taken off sale by an administrator.${reason && ` Reason: ${reason}`}`,
  },
};

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
  agent: ["studentAssigned", "documentUploaded", "applicationMoved", ...trading],
  admin: ["studentsLeft", ...trading],
};

/** Entries on one page of the list, in the bell's panel, and the number from which the bell says no more. */
export const notificationsPerPage = 30;
export const notificationsInBell = 8;
export const mostUnread = 99;
