import type { Page } from "@playwright/test";
import { openTab } from "../e2e/steps.ts";
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
      shows: (page) => page.getByRole("button", { name: "Clear filter" }),
    },
    "nobody in the situation": {
      at: () => "/manage-students?filter=mine&situation=deferred",
      shows: (page) => page.getByRole("heading", { name: "No students here now" }),
    },
    "row open": { ...expanded, shows: (page) => page.getByRole("button", { name: "Approve CV" }) },
    "identity shown": {
      ...expanded,
      open: (page) => press(page, "Show identity details"),
      shows: (page) => page.getByRole("button", { name: "Hide identity details" }),
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

/** Long texts and missing values, in a list that the test data can't fill like this. */
const job = (id: string, queue: string, error: string | null) => ({
  id,
  queue,
  mail: queue === "mail" ? "reset-password" : null,
  error,
  createdAt: new Date("2026-11-21T22:10:00.000Z"),
  failedAt: new Date("2026-11-22T03:23:00.000Z"),
  tries: 11,
});
const jobsAnswer = (jobs: readonly object[]) => answered("/rpc/jobs/failed", { jobs, next: null });
const someJobs = [
  job("7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6a01", "mail", "ECONNREFUSED"),
  job("7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6a02", "mail", null),
  job("7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6a03", "tidy-up", "Error"),
];

const someRules = {
  rules: [
    { rule: "deletionAsked", days: null, due: 1, soon: 3 },
    { rule: "withdrawnStudents", days: 730, due: 0, soon: 12 },
    { rule: "deniedAgents", days: 365, due: 0, soon: 2 },
    { rule: "notifications", days: null, due: 0, soon: 0 },
    { rule: "auditLog", days: 1825, due: 4, soon: 120 },
  ],
};
const someLeaving = [
  "ada.obi@example.org",
  "bartholomew.featherstonehaugh-cholmondeley@students.example.org",
].map((who, at) => ({
  id: `7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6b0${at}`,
  at: new Date(`2026-12-0${at + 1}T03:23:00.000Z`),
  who,
}));
const leaving = async (page: Page) => {
  await answered("/rpc/retention/rules", someRules)(page);
  await answered("/rpc/retention/list", { entries: someLeaving, next: null })(page);
};
const lastChecked = (problem: string | null) =>
  answered("/rpc/audit/lastCheck", { at: new Date("2026-11-22T03:23:04.000Z"), position: 1234, problem });

const tools = [
  ...statesOf("/admin/retention", "admin", {
    full: { before: leaving, shows: (page) => page.getByRole("table", { name: /^Deletion requests/ }) },
    empty: { shows: (page) => page.getByRole("heading", { name: "Nothing to remove" }) },
    loading: waiting("/rpc/retention/rules", "Loading the rules"),
    failing: failing("/rpc/retention/rules"),
    "list failing": failing("/rpc/retention/list"),
  }),
  ...statesOf("/admin/audit", "admin", {
    full: { shows: (page) => page.getByRole("table") },
    "one action": {
      at: () => "/admin/audit?action=agent-approved&from=2020-01-01",
      shows: (page) => page.getByRole("rowheader", { name: "Approved an agent" }),
    },
    "nothing found": {
      at: () => "/admin/audit?who=nobody%40example.org",
      shows: (page) => page.getByRole("heading", { name: "No entries found" }),
    },
    checked: {
      before: lastChecked(null),
      shows: (page) => page.getByText("no entry has been removed or changed"),
    },
    damaged: {
      before: lastChecked("Link 812 has lost its entry 845"),
      shows: (page) => page.getByText("entries have been removed or changed"),
    },
    loading: waiting("/rpc/audit/list", "Loading the audit log"),
    failing: failing("/rpc/audit/list"),
  }),
  ...statesOf("/admin/accounts", "admin", {
    full: { shows: (page) => page.getByRole("table") },
    "long names": {
      at: () => "/admin/accounts?search=featherstonehaugh",
      shows: (page) => page.getByRole("table"),
    },
    "nobody found": {
      at: () => "/admin/accounts?search=nobody",
      shows: (page) => page.getByRole("heading", { name: "No accounts found" }),
    },
    loading: waiting("/rpc/accounts/list", "Loading accounts"),
    failing: failing("/rpc/accounts/list"),
    "disable dialog": {
      at: () => "/admin/accounts?search=kofi%40north-star.example",
      open: (page) => press(page, "Disable Kofi Mensah"),
      ...dialog("Disable account"),
    },
  }),
  ...statesOf("/admin/jobs", "admin", {
    full: { before: jobsAnswer(someJobs), shows: (page) => page.getByRole("table") },
    empty: { shows: (page) => page.getByRole("heading", { name: "No failed jobs", level: 2 }) },
    loading: waiting("/rpc/jobs/failed", "Loading failed jobs"),
    failing: failing("/rpc/jobs/failed"),
    "retry failing": {
      before: async (page) => {
        await jobsAnswer(someJobs)(page);
        await failAt("/rpc/jobs/retry")(page);
      },
      open: (page) => press(page, /^Try again: job .*a01$/),
      complains: "refusals",
      ...dialog("Error"),
    },
  }),
];

export const agentScreens: readonly Screen[] = [...dashboards, ...students, ...admin, ...tools];
