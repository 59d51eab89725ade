import { answered, dialog, failing, press, type Screen, statesOf, waiting } from "./screen.ts";

const moment = new Date("2026-11-23T09:30:00Z");
const bulkRun = (changes: object) => ({
  id: "r1",
  act: "assign",
  agent: { id: "kofi", name: "Kofi Mensah" },
  move: null,
  text: "",
  note: "",
  due: null,
  frozenAt: moment,
  startedAt: moment,
  finishedAt: moment,
  waiting: 0,
  done: 183,
  skipped: 17,
  failed: 0,
  reasons: [
    { reason: "anotherAgents", rows: 12 },
    { reason: "rejected", rows: 5 },
  ],
  takeBackUntil: moment,
  ...changes,
});
const bulkRows = {
  items: [
    {
      position: 1,
      student: { id: "s1", name: "Ada Obi", email: "ada@wayfare.example" },
      invited: null,
      application: null,
      outcome: "done",
      reason: null,
    },
    {
      position: 2,
      student: { id: "s2", name: "Wolfeschlegelsteinhausenbergerdorff Obi", email: "w@wayfare.example" },
      invited: null,
      application: null,
      outcome: "skipped",
      reason: "anotherAgents",
    },
  ],
  next: null,
};

const offers = [
  ...statesOf("/offers", "agent", {
    full: { shows: (page) => page.getByText("0 of 3 conditions met, 1 to check") },
    loading: waiting("/rpc/offers/toAnswer", "Loading offers"),
    failing: failing("/rpc/offers/toAnswer"),
  }),
  ...statesOf("/offers", "newAgent", {
    empty: { shows: (page) => page.getByRole("heading", { name: "No open offers" }) },
  }),
  ...statesOf("/manage-students", "agent", {
    "offer form": {
      at: ({ studentId }) => `/manage-students?filter=mine&student=${studentId}&show=applications`,
      open: (page) => press(page, "Change offer"),
      ...dialog("Change offer"),
    },
    "offer's condition waived": {
      at: ({ studentId }) => `/manage-students?filter=mine&student=${studentId}&show=applications`,
      open: (page) => press(page, "Waive: Final transcript"),
      ...dialog("Waive condition"),
    },
  }),
];

const runs = [
  ...statesOf("/manage-students/changes", "agent", {
    empty: { shows: (page) => page.getByRole("heading", { name: "No changes yet" }) },
    loading: waiting("/rpc/bulkRuns/list", "Loading past changes"),
    failing: failing("/rpc/bulkRuns/list"),
    full: {
      before: answered("/rpc/bulkRuns/list", { runs: [bulkRun({}), bulkRun({ id: "r2", act: "takeBack" })] }),
      shows: (page) => page.getByRole("list", { name: "Past changes" }),
    },
  }),
  ...statesOf("/manage-students/changes/:runId", "agent", {
    preview: {
      at: () => "/manage-students/changes/r1",
      before: async (page) => {
        await answered(
          "/rpc/bulkRuns/get",
          bulkRun({ startedAt: null, finishedAt: null, waiting: 183, done: 0, takeBackUntil: null }),
        )(page);
        const items = bulkRows.items.map((row) => (row.outcome === "done" ? { ...row, outcome: null } : row));
        await answered("/rpc/bulkRuns/items", { items, next: null })(page);
      },
      shows: (page) => page.getByRole("button", { name: "Change 183" }),
    },
    "message, preview": {
      at: () => "/manage-students/changes/r1",
      before: async (page) => {
        const text = "The deposit is due on Friday.\n\nPlease send us the receipt: " + "x".repeat(80);
        const message = { act: "message", agent: null, text, waiting: 39, done: 0, takeBackUntil: null };
        await answered(
          "/rpc/bulkRuns/get",
          bulkRun({
            ...message,
            startedAt: null,
            finishedAt: null,
            skipped: 2,
            reasons: [{ reason: "closed", rows: 2 }],
          }),
        )(page);
        await answered("/rpc/bulkRuns/items", bulkRows)(page);
      },
      shows: (page) => page.getByRole("button", { name: "Send 39" }),
    },
    "task, preview": {
      at: () => "/manage-students/changes/r1",
      before: async (page) => {
        const task = {
          act: "task",
          agent: null,
          text: "Pay the deposit",
          note: "By bank transfer to the university, with your application number.",
          due: { date: "2027-08-12", time: "17:00", zone: "", whose: "applicant", hard: true },
        };
        const prepared = { startedAt: null, finishedAt: null, waiting: 183, done: 0, takeBackUntil: null };
        await answered("/rpc/bulkRuns/get", bulkRun({ ...task, ...prepared }))(page);
        await answered("/rpc/bulkRuns/items", bulkRows)(page);
      },
      shows: (page) => page.getByText("Due at 17:00 on 12 August 2027 on each student's clock."),
    },
    finished: {
      at: () => "/manage-students/changes/r1",
      before: async (page) => {
        await answered("/rpc/bulkRuns/get", bulkRun({}))(page);
        await answered("/rpc/bulkRuns/items", bulkRows)(page);
      },
      shows: (page) => page.getByRole("button", { name: /^Take back until/ }),
    },
    "some rows failed": {
      at: () => "/manage-students/changes/r1",
      before: async (page) => {
        const reasons = [{ reason: "unexpected", rows: 3 }];
        await answered("/rpc/bulkRuns/get", bulkRun({ done: 197, skipped: 0, failed: 3, reasons }))(page);
        const items = bulkRows.items.map((row) => ({ ...row, outcome: "failed", reason: "unexpected" }));
        await answered("/rpc/bulkRuns/items", { items, next: null })(page);
      },
      shows: (page) => page.getByRole("button", { name: "Try the failed rows again" }),
    },
    loading: {
      at: () => "/manage-students/changes/r1",
      ...waiting("/rpc/bulkRuns/get", "Loading the change"),
    },
    failing: { at: () => "/manage-students/changes/r1", ...failing("/rpc/bulkRuns/get") },
  }),
];

/** Lists of work across students: offers to answer, and acts on many students. */
export const workListScreens: readonly Screen[] = [...offers, ...runs];
