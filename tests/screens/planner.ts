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

/** Requests, tasks and deadlines, as agents see them. */
export const plannerScreens: readonly Screen[] = [
  ...statesOf("/today", "agent", {
    full: { shows: (page) => page.getByText("Overdue") },
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
  }),
];
