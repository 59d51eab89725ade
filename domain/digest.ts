import { applicationsTitle } from "./application-notification.ts";

/**
 * Emails that list all notifications of some kinds that a user gets within `minutes` of the first. Each kind names its
 * digest (domain/notifications). `subject` is for several notifications, `path` for those that lead to different pages.
 */
export const digests = {
  ownAgent: {
    minutes: 10,
    subject: () => "Your agent has changed",
    button: "Open your dashboard",
    path: "/student-dashboard",
  },
  ownStudents: {
    minutes: 10,
    subject: ({ length }) => `${length} changes to your students`,
    button: "View students",
    path: "/manage-students?filter=mine",
  },
  unassigned: {
    minutes: 10,
    subject: () => "Students need a new agent",
    button: "View unassigned students",
    path: "/manage-students?filter=unassigned",
  },
  applicants: {
    minutes: 60,
    subject: ({ length }) => `${length} agents are waiting for approval`,
    button: "Review agents",
    path: "/admin-dashboard",
  },
  reports: {
    minutes: 30,
    subject: ({ length }) => `${length} new reports`,
    button: "Look at the reports",
    path: "/admin/trade-reports",
  },
  uploads: {
    minutes: 10,
    subject: uploadsTitle,
    button: "View students",
    path: "/manage-students",
  },
  entries: {
    minutes: 10,
    subject: ({ length }) => `${length} things were entered for you`,
    button: "Check them",
    path: "/student-dashboard",
  },
  reviews: {
    minutes: 10,
    subject: ({ length }) => `${length} of your documents have been reviewed`,
    button: "See your documents",
    path: "/student-documents",
  },
  questions: {
    minutes: 10,
    subject: ({ length }) => `${length} questions about your items`,
    button: "See your products",
    path: "/product-list",
  },
  applications: {
    minutes: 10,
    subject: applicationsTitle,
    button: "Open applications",
    path: "/manage-students",
  },
  requests: {
    minutes: 5,
    subject: ({ length }) => `${length} things for you to do`,
    button: "See what to do",
    // A student's notifications all lead to one page, so only an agent's tasks about several students use this.
    path: "/manage-students?filter=mine",
  },
  endings: {
    minutes: 1,
    subject: ({ length }) => `${length} items you watch end within the hour`,
    button: "See what you watch",
    path: "/my-bids?show=watching",
  },
  savedSearches: {
    minutes: 5,
    subject: () => "New items for your saved searches",
    button: "See your searches",
    path: "/my-bids?show=searches",
  },
  reminders: {
    minutes: 5,
    subject: ({ length }) => `${length} things are due`,
    button: "See what is due",
    path: "/student-dashboard",
  },
  lastReminders: {
    minutes: 1,
    subject: ({ length }) => `${length} things are due within a day`,
    button: "See what is due",
    path: "/student-dashboard",
  },
} as const satisfies Record<
  string,
  {
    minutes: number;
    subject(abouts: readonly Readonly<Record<string, string>>[]): string;
    button: string;
    path: string;
  }
>;
export type Digest = keyof typeof digests;

/** Most notifications that one email lists; the others are only counted. */
export const maxItemsInMail = 20;

/** Returns the subject of an email about documents that students sent and tasks that they finished. */
function uploadsTitle(abouts: readonly Readonly<Record<string, string>>[]): string {
  const { length } = abouts;
  const tasks = abouts.filter((about) => "task" in about).length;
  if (tasks === 0) return `${length} documents are ready for review`;
  return tasks === length ? `${length} tasks are finished` : `${length} things to look at`;
}
