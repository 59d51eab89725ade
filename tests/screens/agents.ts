import type { Page } from "@playwright/test";
import { openTab } from "../e2e/steps.ts";
import { fitStates } from "./fits.ts";
import {
  answered,
  dialog,
  failAt,
  failing,
  headed,
  press,
  type Screen,
  statesOf,
  waiting,
} from "./screen.ts";

const expanded = { at: ({ studentId }: { studentId: string }) => `/manage-students?student=${studentId}` };
/** Searches by name, because the demo's students don't all fit on the first page. */
const searchFor = (search: string) => ({
  at: () => `/manage-students?${new URLSearchParams({ search }).toString()}`,
});
const reject = (page: Page) => press(page, "Reject CV");

/** The server's answer to an admin who has not given a reason yet. */
const reasonRequired = {
  defined: true,
  code: "look/reason-required",
  status: 403,
  message: "Please give a reason first. The student will see it.",
  data: { student: { id: "ada", name: "Ada Obi" } },
};
const dashboards = [
  ...statesOf("/agent-dashboard", "agent", {
    full: { shows: (page) => page.getByText("Documents to review") },
    loading: waiting("/rpc/students/waiting", "Loading what's waiting for you"),
    failing: failing("/rpc/students/waiting"),
    "profile dialog": {
      open: (page) => press(page, "Edit profile"),
      shows: (page) => page.getByRole("dialog", { name: "Personal details" }).getByLabel("First name"),
    },
  }),
  ...statesOf("/agent-dashboard", "newAgent", {
    empty: { shows: (page) => page.getByText("Nothing needs your attention right now.") },
  }),
  ...statesOf("/agent-profile", "agent", {
    full: { shows: (page) => page.getByLabel("First name") },
    loading: waiting("/rpc/profile/mine", "Loading the profile"),
    failing: failing("/rpc/profile/mine"),
  }),
];

const students = [
  ...statesOf("/manage-students", "agent", {
    full: { shows: (page) => page.getByRole("table") },
    loading: waiting("/rpc/students/list", "Loading students"),
    failing: failing("/rpc/students/list"),
    "nobody found": {
      at: () => "/manage-students?search=nobody",
      shows: (page) => page.getByRole("heading", { name: "No students found" }),
    },
    filtered: {
      at: () => "/manage-students?situation=documentsToReview",
      shows: (page) => page.getByRole("button", { name: "Clear filters" }),
    },
    "nobody in the situation": {
      at: () => "/manage-students?filter=mine&situation=deferred",
      shows: (page) => page.getByRole("heading", { name: "No students here now" }),
    },
    ...fitStates,
    "record opened": {
      ...expanded,
      open: (page) => press(page, "Show record of studies"),
      shows: (page) => page.getByRole("heading", { name: "IELTS Academic 6.5" }),
    },
    "all filters": {
      at: () => "/manage-students?situation=inReview&columns=email,applications,documents,progress,deposit",
      shows: (page) => page.getByLabel("Study country"),
    },
    "Assign many": {
      open: async (page) => {
        await page.getByLabel("Choose all students on this page").check();
        await page.getByRole("button", { name: "Assign", exact: true }).click();
      },
      ...dialog(/^Assign \d+ students/),
    },
    "Message to many": {
      open: async (page) => {
        await page.getByLabel("Choose all students on this page").check();
        await press(page, "Message");
      },
      shows: (page) => page.getByRole("dialog", { name: /^Write to \d+ students/ }),
    },
    "Give a task to many": {
      open: async (page) => {
        await page.getByLabel("Choose all students on this page").check();
        await press(page, "Give a task");
      },
      shows: (page) => page.getByRole("dialog", { name: /^A task for \d+ students/ }),
    },
    "Ask for a document to many": {
      open: async (page) => {
        await page.getByLabel("Choose all students on this page").check();
        await press(page, "Ask for a document");
      },
      shows: (page) => page.getByRole("dialog", { name: /^Ask for a document: \d+ students/ }),
    },
    "students chosen": {
      open: (page) => page.getByLabel("Choose all students on this page").check(),
      shows: (page) => page.getByRole("button", { name: "Move applications" }),
    },
    "move dialog": {
      open: async (page) => {
        await page.getByLabel("Choose all students on this page").check();
        await press(page, "Move applications");
      },
      ...dialog("Move applications"),
    },
    "saved views": {
      before: async (page) => {
        await answered("/rpc/savedViews/count", { students: 500, more: true, countedAt: new Date() })(page);
        await answered("/rpc/savedViews/list", {
          views: [
            {
              id: "v1",
              name: "Autumn, deposit missing, nobody wrote for a week",
              view: { search: "", filter: "all", sort: "name", direction: "ascending" },
              columns: ["email"],
              shared: true,
              mayChange: false,
            },
          ],
        })(page);
      },
      open: (page) => press(page, "Saved views"),
      shows: (page) => page.getByRole("dialog").getByRole("list", { name: "Saved views" }),
    },
    "export dialog": { open: (page) => press(page, "Export list"), ...dialog("Export students") },
    "import dialog": { open: (page) => press(page, "Import"), ...dialog("Import a CSV file") },
    "row open": { ...expanded, shows: (page) => page.getByRole("button", { name: "Approve CV" }) },
    "identity shown": {
      ...expanded,
      open: (page) => press(page, "Show identity details"),
      shows: (page) => page.getByRole("button", { name: "Hide identity details" }),
    },
    "fill in profile dialog": {
      ...expanded,
      open: (page) => press(page, "Fill in profile"),
      shows: (page) => page.getByRole("dialog").getByRole("list", { name: "Entered by others" }),
    },
    "row without notes": {
      ...expanded,
      before: answered("/rpc/notes/ofStudent", { pinned: null, notes: [], next: null }),
      shows: (page) => page.getByText("No notes yet."),
    },
    "notes loading": { ...expanded, ...waiting("/rpc/notes/ofStudent", "Loading notes") },
    "notes failing": { ...expanded, ...failing("/rpc/notes/ofStudent") },
    "reassign dialog": {
      ...expanded,
      open: (page) => press(page, /^Reassign: Ada/),
      shows: (page) => page.getByRole("dialog").getByLabel("Note for the next agent (optional)"),
    },
    "row failing": { ...expanded, ...failing("/rpc/students/details") },
    "shortlist dialog": { open: (page) => press(page, /^Shortlist of/), ...dialog("Shortlist") },
    "applications dialog": {
      open: (page) => press(page, "View Applications of Ada Obi"),
      shows: (page) => page.getByRole("dialog").getByText("MA Service Design"),
    },
    "no applications": {
      ...searchFor("Ben Carter"),
      open: (page) => press(page, "View Applications of Ben Carter"),
      shows: (page) => page.getByText("No applications found."),
    },
    "assign dialog, long name": {
      ...searchFor("Wolfe"),
      open: (page) => press(page, /^Assign Agent: Wolfe/),
      shows: (page) => page.getByRole("dialog").getByRole("list", { name: "Agents" }),
    },
    "assign dialog": {
      ...searchFor("Ben Carter"),
      open: (page) => press(page, /^Assign Agent: Ben/),
      shows: (page) => page.getByRole("dialog").getByRole("list", { name: "Agents" }),
    },
    "reject dialog": { ...expanded, open: reject, ...dialog("Reject CV") },
    "reject without a reason": {
      ...expanded,
      open: async (page) => {
        await reject(page);
        await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
      },
      ...dialog("Review Error"),
    },
  }),
  ...statesOf("/manage-students", "admin", {
    "reason asked": {
      ...expanded,
      before: (page) =>
        page.route("**/rpc/students/identity", (route) =>
          route.fulfill({ status: 403, json: { json: reasonRequired } }),
        ),
      open: (page) => press(page, "Show identity details"),
      complains: "refusals",
      ...dialog(/^Why are you opening/),
    },
  }),
  ...statesOf("/manage-students", "newAgent", {
    "none of mine": {
      at: () => "/manage-students?filter=mine",
      shows: (page) => page.getByRole("main").getByRole("heading", { level: 2 }),
    },
    "row of another's": { ...expanded, shows: (page) => page.getByText("Waiting for review") },
  }),
  ...statesOf("/shortlist", "agent", {
    full: { at: ({ studentId }) => `/shortlist?student=${studentId}`, ...headed("Shortlist of Ada Obi") },
    "nobody chosen": headed("Shortlist"),
  }),
];

const admin = [
  ...statesOf("/admin-dashboard", "admin", {
    full: { shows: (page) => page.getByRole("article", { name: /Wanjiru/ }) },
    approved: {
      open: (page) => openTab(page, "Approved Agents"),
      shows: (page) => page.getByRole("article", { name: /Kofi/ }),
    },
    "revoked and denied": {
      open: (page) => openTab(page, "Revoked and denied"),
      shows: (page) => page.getByRole("article", { name: /Rita/ }),
    },
    loading: waiting("/rpc/agents/list", "Loading agents"),
    failing: failing("/rpc/agents/list"),
    "overview loading": waiting("/rpc/overview/figures", "Loading the overview"),
    "overview failing": failing("/rpc/overview/figures"),
    "agent found": {
      at: () => "/admin-dashboard?search=wanjiru",
      shows: (page) => page.getByRole("article", { name: /Wanjiru/ }),
    },
    "no agent found": {
      at: () => "/admin-dashboard?search=nobody",
      shows: (page) => page.getByRole("heading", { name: "No agents found" }),
    },
    empty: {
      before: async (page) => {
        await answered("/rpc/agents/list", { agents: [], next: null })(page);
        await answered("/rpc/agents/counts", { pending: 0, approved: 0, former: 0 })(page);
      },
      shows: (page) => page.getByText("No pending agent applications."),
    },
    "revoke dialog": {
      open: async (page) => {
        await openTab(page, "Approved Agents");
        await page.getByRole("article", { name: /Kofi/ }).getByRole("button", { name: "Revoke" }).click();
      },
      ...dialog("Revoke access"),
    },
    "disable dialog": {
      open: async (page) => {
        await openTab(page, "Approved Agents");
        await page.getByRole("article", { name: /Kofi/ }).getByRole("button", { name: "Disable" }).click();
      },
      ...dialog("Disable account"),
    },
    "reassign dialog": {
      open: async (page) => {
        await openTab(page, "Approved Agents");
        await press(page, "Reassign students");
      },
      shows: (page) => page.getByRole("dialog").getByRole("list", { name: "Agents" }),
    },
    "deny dialog": { open: (page) => press(page, "Deny"), shows: (page) => page.getByRole("dialog") },
    "decision failing": {
      before: failAt("/rpc/agents/approve"),
      open: (page) => press(page, "Approve"),
      complains: "refusals",
      ...dialog("Error"),
    },
  }),
  ...statesOf("/manage-students", "admin", {
    full: { shows: (page) => page.getByRole("table") },
    "disable dialog": {
      ...searchFor("Ben Carter"),
      open: (page) => press(page, /^Disable Ben/),
      shows: (page) => page.getByRole("dialog"),
    },
  }),
];

export const agentScreens: readonly Screen[] = [...dashboards, ...students, ...admin];
