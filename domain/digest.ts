import { applicationsTitle } from "./application-news.ts";
import { keysOf } from "./keys-of.ts";
import type { About, NotificationKind } from "./notification.ts";

/**
 * Kinds of notification that are mailed as a digest: one mail lists all that a person gets within so many minutes of the
 * first. `subject` is for more than one of them, `path` for those that lead to different pages. Other kinds are mailed at once.
 */
export const digests = {
  ownAgent: {
    kinds: ["agentAssigned", "agentLost"],
    minutes: 10,
    subject: () => "Your agent has changed",
    button: "Open your dashboard",
    path: "/student-dashboard",
  },
  ownStudents: {
    kinds: ["studentAssigned", "studentReassigned"],
    minutes: 10,
    subject: ({ length }) => `${length} changes to your students`,
    button: "View students",
    path: "/manage-students?filter=mine",
  },
  unassigned: {
    kinds: ["studentsLeft"],
    minutes: 10,
    subject: () => "Students need a new agent",
    button: "View unassigned students",
    path: "/manage-students?filter=unassigned",
  },
  applicants: {
    kinds: ["agentApplied"],
    minutes: 60,
    subject: ({ length }) => `${length} agents are waiting for approval`,
    button: "Review agents",
    path: "/admin-dashboard",
  },
  uploads: {
    kinds: ["documentUploaded"],
    minutes: 10,
    subject: ({ length }) => `${length} documents are ready for review`,
    button: "Review documents",
    path: "/manage-students",
  },
  reviews: {
    kinds: ["documentApproved", "documentRejected"],
    minutes: 10,
    subject: ({ length }) => `${length} of your documents have been reviewed`,
    button: "See your documents",
    path: "/student-documents",
  },
  applications: {
    kinds: ["applicationMoved"],
    minutes: 10,
    subject: applicationsTitle,
    button: "Open applications",
    path: "/manage-students",
  },
} as const satisfies Record<
  string,
  {
    kinds: readonly NotificationKind[];
    minutes: number;
    subject(abouts: readonly About[]): string;
    button: string;
    path: string;
  }
>;
export type Digest = keyof typeof digests;

/** The digest of a kind; null for one that is mailed at once. */
export const digestOf = (kind: NotificationKind): Digest | null =>
  keysOf(digests).find((name) => digests[name].kinds.some((each) => each === kind)) ?? null;

/** Notifications that one mail lists; it gives only the number of the others. */
export const mostInMail = 20;
