import type { Page } from "@playwright/test";
import type { DocumentRequest, DueEntry, DueThing, Task, Today } from "#contract/planned-work.ts";
import { longStudent } from "./message-data.ts";
import { answered, dialog, failing, press, type Screen, statesOf, waiting } from "./screen.ts";

const expanded = { at: ({ studentId }: { studentId: string }) => `/manage-students?student=${studentId}` };

const templates = [
  {
    id: "1",
    title: "Book the English test",
    text: "Any centre will do. Send us the date as soon as you have one.",
    owner: "student",
    studyLevel: "Postgraduate",
    country: "GB",
    dueDays: 30,
  },
  {
    id: "2",
    title: "Call the embassy",
    text: "",
    owner: "agent",
    studyLevel: null,
    country: null,
    dueDays: null,
  },
];

const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000);
const ada = { id: "0c7f9a34-5b1e-4a58-9f0e-0e3b5a7c9d21", name: "Ada Obi" };

function dueEntry(title: string, hours: number, changes: Partial<DueEntry> = {}): DueEntry {
  const at = inHours(hours);
  const date = at.toISOString().slice(0, 10);
  return {
    thing: `task:${title}`,
    kind: "task",
    student: ada,
    applicationId: null,
    document: null,
    title,
    owner: "student",
    due: { date, time: at.toISOString().slice(11, 16), zone: "UTC", whose: "institution", hard: false, at },
    ...changes,
  };
}

/** A deadline whose day differs on most clocks. */
const elsewhere = {
  date: inHours(96).toISOString().slice(0, 10),
  time: null,
  zone: "Pacific/Honolulu",
  whose: "institution",
  hard: true,
  at: inHours(106),
} as const;

const list = <Entry>(...entries: Entry[]) => ({ entries, total: entries.length });
const offerTarget = { kind: "offer", applicationId: "1" };

const dataScience = {
  program: "MSc Data Science",
  university: "University of Leeds",
  startDate: "Spring Intake (January)",
  year: 2031,
} as const;

/** A day with every kind of due work. */
export const fullDay: Today = {
  overdue: {
    entries: [
      dueEntry("Bank statement of the last three months, stamped by the bank", -50, { student: longStudent }),
      dueEntry("Deposit: MSc Data Science", -1, { ...offerTarget, kind: "deposit" }),
    ],
    total: 12,
  },
  dueToday: list(dueEntry("Call the embassy", 0.5, { owner: "agent" })),
  review: list({ student: ada, documents: ["CV", "Bank statement"], since: inHours(-30) }),
  replies: list(dueEntry("Reply to the offer: MSc Data Science", 106, { ...offerTarget, due: elsewhere })),
  quiet: list({
    applicationId: "1",
    student: longStudent,
    ...dataScience,
    state: "sentToUniversity",
    since: inHours(-20 * 24),
  }),
  passports: list({ student: ada, applicationId: "1", ...dataScience }),
  paused: list({ student: ada, lastDay: elsewhere.date }),
  resumed: list({ student: longStudent, lastDay: inHours(-30).toISOString().slice(0, 10) }),
};

const nothingDue = {
  applicationId: null,
  reason: "",
  note: "",
  due: null,
  blocks: false,
  version: 2,
} as const;

function sentPaper(name: string, changes: Partial<DocumentRequest>): DocumentRequest {
  const file = { name: `${name}.pdf`, type: "application/pdf", size: 84_000, enteredBy: null } as const;
  const dates = { suppliedAt: inHours(-30), createdAt: inHours(-60) };
  return { ...nothingDue, ...dates, id: name, kind: "other", name, state: "supplied", file, ...changes };
}

function ownTask(title: string, state: Task["state"]): Task {
  const { reason: text, blocks: _blocks, ...shared } = nothingDue;
  return { ...shared, text, id: title, title, state, owner: "student", createdAt: inHours(-60) };
}

/** Everything that a student can have sent and done. */
const settledPlan = {
  requests: [
    sentPaper("Bank statement of the last three months, stamped by the bank, in English or translated", {}),
    sentPaper("x".repeat(80), { state: "accepted" }),
    sentPaper("", { kind: "cv", state: "accepted", file: null }),
    sentPaper("Visa form", { state: "cancelled", file: null }),
  ],
  tasks: [
    ownTask("Book the English test, at any centre that has a place before the end of the month", "done"),
    ownTask("Tell us about your summer", "checked"),
    ownTask("Call the university", "cancelled"),
  ],
  pausedUntil: null,
  timeZone: "Africa/Johannesburg",
};

const mutedThing: DueThing = {
  thing: "task:1",
  kind: "task",
  id: "1",
  applicationId: null,
  application: null,
  document: null,
  title: "Book the English test",
  text: "Which centre?",
  again: true,
  due: dueEntry("", 300).due,
  version: 2,
  muted: true,
};

const showSettled = async (page: Page) => {
  await page
    .getByRole("main")
    .getByText(/^Sent and done: /)
    .click();
};

/** Requests, tasks and deadlines, as agents and students see them. */
export const plannerScreens: readonly Screen[] = [
  ...statesOf("/today", "agent", {
    full: { shows: (page) => page.getByText("Overdue") },
    "every kind of work": {
      before: answered("/rpc/planner/today", fullDay),
      shows: (page) => page.getByText("Replies due in 7 days"),
    },
    loading: waiting("/rpc/planner/today", "Loading your day"),
    failing: failing("/rpc/planner/today"),
  }),
  ...statesOf("/today", "newAgent", {
    empty: { shows: (page) => page.getByText("Nothing presses today") },
  }),
  ...statesOf("/admin/task-templates", "admin", {
    empty: {
      before: answered("/rpc/planner/templates", { templates: [] }),
      shows: (page) => page.getByText("No templates yet"),
    },
    full: {
      before: answered("/rpc/planner/templates", { templates }),
      shows: (page) => page.getByRole("heading", { name: "Book the English test" }),
    },
    loading: waiting("/rpc/planner/templates", "Loading templates"),
    failing: failing("/rpc/planner/templates"),
    adding: { open: (page) => press(page, "Add a template"), ...dialog("Add a template") },
  }),
  ...statesOf("/student-dashboard", "student", {
    "sent and done": {
      before: answered("/rpc/planner/ofStudent", settledPlan),
      open: showSettled,
      shows: (page) => page.getByRole("heading", { name: "Tell us about your summer" }),
    },
    "reopening a task": {
      before: answered("/rpc/planner/ofStudent", settledPlan),
      open: async (page) => {
        await showSettled(page);
        await press(page, /^Reopen: Book/);
      },
      ...dialog(/^Reopen Book/),
    },
    "a muted thing": {
      before: answered("/rpc/planner/mine", { things: [mutedThing], timeZone: "Africa/Johannesburg" }),
      shows: (page) => page.getByRole("button", { name: /^Remind me again/ }),
    },
    "sent and done failing": failing("/rpc/planner/ofStudent"),
  }),
  ...statesOf("/manage-students", "agent", {
    "requests and tasks": {
      ...expanded,
      shows: (page) => page.getByRole("button", { name: "Ask for documents" }),
    },
    "asking for documents": {
      ...expanded,
      open: (page) => press(page, "Ask for documents"),
      ...dialog("Ask for documents"),
    },
    "adding a task": { ...expanded, open: (page) => press(page, "Add a task"), ...dialog("Add a task") },
    "pausing reminders": {
      ...expanded,
      open: (page) => press(page, "Pause reminders"),
      ...dialog("Pause reminders"),
    },
    "reminders paused": {
      ...expanded,
      before: answered("/rpc/planner/ofStudent", { ...settledPlan, pausedUntil: elsewhere.date }),
      shows: (page) => page.getByRole("button", { name: /^Resume reminders/ }),
    },
    "a paper that isn't shared": {
      ...expanded,
      before: answered("/rpc/planner/ofStudent", {
        ...settledPlan,
        requests: [sentPaper("Bank statement", { file: null })],
      }),
      shows: (page) => page.getByText("This file isn't shared with you."),
    },
    "sending back": {
      ...expanded,
      open: (page) => press(page, "Send back: Birth certificate"),
      ...dialog("Send Birth certificate back"),
    },
    "changing a request": {
      ...expanded,
      open: (page) => press(page, "Change Birth certificate"),
      ...dialog("Birth certificate"),
    },
    "changing a task": {
      ...expanded,
      open: (page) => press(page, "Change Book the English test"),
      ...dialog("Book the English test"),
    },
    "reopening a task": {
      ...expanded,
      before: answered("/rpc/planner/ofStudent", settledPlan),
      open: (page) => press(page, /^Reopen: Book/),
      ...dialog(/^Reopen Book/),
    },
  }),
];
