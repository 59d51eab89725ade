import type { Page } from "@playwright/test";
import { someDisputes, someVoidRequests } from "./sale-data.ts";
import { answered, dialog, failAt, failing, hold, press, type Screen, statesOf, waiting } from "./screen.ts";
import { answeredReports, openReports, pairs, somePairs } from "./trade-report-data.ts";

/** Returns a job with long texts and missing values, which the test data can't produce. */
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
  count: 1,
}));
const leaving = async (page: Page) => {
  await answered("/rpc/retention/rules", someRules)(page);
  await answered("/rpc/retention/list", { entries: someLeaving, next: null })(page);
};
const account = (at: number, name: string, email: string) => ({
  id: `7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6c0${at}`,
  name,
  email,
  agent: at === 1 ? "Kofi Mensah" : null,
  applications: at,
  disabled: at === 2,
  joinedAt: new Date("2026-03-01T09:00:00.000Z"),
  lastLoginAt: new Date("2026-11-20T09:00:00.000Z"),
});
const longName = "Bartholomew-Maximilian Featherstonehaugh-Cholmondeley";
const pair = [
  account(0, "Ada Obi", "ada.obi@example.org"),
  account(1, longName, "bartholomew.featherstonehaugh-cholmondeley@students.example.org"),
];
const duplicates = (groups: readonly object[], more = false) =>
  answered("/rpc/duplicates/list", { groups, more });
const disputes = async (page: Page) => {
  await answered("/rpc/sales/disputes", someDisputes)(page);
  await answered("/rpc/sales/voidRequests", someVoidRequests)(page);
};
const openGroups = [
  { members: pair, clues: ["phone"], decision: null },
  {
    members: [...pair, account(2, "Ada Obi", "ada@example.org")],
    clues: ["passport", "postcode"],
    decision: null,
  },
];
const decision = { verdict: "same", by: "Rosa Admin", at: new Date("2026-11-20T09:00:00.000Z") };
const decidedGroups = [{ members: pair, clues: [], decision: { id: "d1", ...decision } }];

const longAgent = {
  ...account(1, longName, "bartholomew.featherstonehaugh-cholmondeley@students.example.org"),
  id: "a1",
  role: "agent",
  status: "approved",
  emailVerified: false,
  since: new Date("2026-03-01T09:00:00.000Z"),
  lastLogin: null,
  erasedOn: null,
  students: 340,
  phone: "+234 803 123 4567",
  agency: "The Featherstonehaugh International Study Abroad and Visa Partnership",
  country: "NG",
  agent: null,
};
const longUniversity =
  "Rheinisch-Westfälische Technische Hochschule Aachen, Faculty of Mechanical Engineering";
const someReports = async (page: Page) => {
  await answered("/rpc/reports/enrolments", {
    months: ["2026-10", "2026-09", "2026-02"].map((month, at) => ({ month, enrolments: 128 - 50 * at })),
    agents: [
      { agent: { id: "a1", name: longName }, enrolments: 97 },
      { agent: null, enrolments: 3 },
    ],
    universities: [
      { university: longUniversity, enrolments: 41 },
      { university: "", enrolments: 7 },
    ],
  })(page);
  await answered("/rpc/reports/stays", {
    states: [
      { state: "inReview", ended: 812, medianDays: 3.25, slowDays: 14, current: 40 },
      { state: "visa", ended: 0, medianDays: null, slowDays: null, current: 2 },
    ],
  })(page);
};
const lastChecked = (problem: string | null) =>
  answered("/rpc/audit/lastCheck", { at: new Date("2026-11-22T03:23:04.000Z"), position: 1234, problem });

export const adminScreens: readonly Screen[] = [
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
    "edit dialog": {
      at: () => "/admin/accounts?search=kofi%40north-star.example",
      open: (page) => press(page, "Edit Kofi Mensah"),
      shows: (page) => page.getByRole("dialog").getByLabel("Phone number"),
    },
    "edit dialog loading": {
      at: () => "/admin/accounts?search=kofi%40north-star.example",
      before: hold("/rpc/accounts/details"),
      open: (page) => press(page, "Edit Kofi Mensah"),
      shows: (page) => page.getByRole("dialog").getByLabel("Loading the details"),
    },
    "reset dialog": {
      at: () => "/admin/accounts?search=kofi%40north-star.example",
      open: async (page) => {
        await press(page, "Edit Kofi Mensah");
        await page.getByRole("dialog").getByRole("button", { name: "Reset two-step login" }).click();
      },
      ...dialog("Reset two-step login of Kofi Mensah"),
    },
  }),
  ...statesOf("/admin/accounts/:userId", "admin", {
    student: {
      at: ({ studentId }) => `/admin/accounts/${studentId}`,
      shows: (page) => page.getByRole("table", { name: "Done by this account" }),
    },
    agent: {
      before: async (page) => {
        await answered("/rpc/accounts/summary", longAgent)(page);
        await answered("/rpc/audit/list", { entries: [], people: {}, next: null })(page);
      },
      at: () => "/admin/accounts/a1",
      shows: (page) => page.getByRole("link", { name: "340 students" }),
    },
    "not found": {
      at: () => "/admin/accounts/nobody",
      complains: "refusals",
      shows: (page) => page.getByRole("heading", { name: "Account not found" }),
    },
    loading: { at: () => "/admin/accounts/a1", ...waiting("/rpc/accounts/summary", "Loading the account") },
    failing: { at: () => "/admin/accounts/a1", ...failing("/rpc/accounts/summary") },
  }),
  ...statesOf("/admin/reports", "admin", {
    full: { before: someReports, shows: (page) => page.getByRole("cell", { name: "128" }) },
    empty: {
      at: () => "/admin/reports?year=2020",
      shows: (page) => page.getByText("Nothing yet.").first(),
    },
    loading: waiting("/rpc/reports/enrolments", "Loading enrolments"),
    failing: failing("/rpc/reports/stays"),
  }),
  ...statesOf("/admin/duplicates", "admin", {
    full: {
      before: duplicates(openGroups, true),
      shows: (page) => page.getByRole("list", { name: "Groups" }),
    },
    decided: {
      at: () => "/admin/duplicates?show=decided",
      before: duplicates(decidedGroups),
      shows: (page) => page.getByRole("heading", { name: /^One person/ }),
    },
    empty: { shows: (page) => page.getByRole("heading", { name: "No possible duplicates" }) },
    loading: waiting("/rpc/duplicates/list", "Loading possible duplicates"),
    failing: failing("/rpc/duplicates/list"),
  }),
  ...statesOf("/admin/trade-reports", "admin", {
    full: { before: openReports, shows: (page) => page.getByRole("list", { name: "Reports" }) },
    answered: {
      at: () => "/admin/trade-reports?show=answered",
      before: answeredReports,
      shows: (page) => page.getByText("We acted on it."),
    },
    empty: { shows: (page) => page.getByRole("heading", { name: "No open reports" }) },
    loading: waiting("/rpc/tradeReports/list", "Loading reports"),
    failing: failing("/rpc/tradeReports/list"),
    "answer dialog": {
      before: openReports,
      open: (page) => press(page, "Answer"),
      ...dialog("Answer the report"),
    },
  }),
  ...statesOf("/admin/pairs", "admin", {
    full: { before: somePairs, shows: (page) => page.getByRole("list", { name: "Pairs" }) },
    empty: { before: pairs(), shows: (page) => page.getByRole("heading", { name: "No pairs to look at" }) },
    loading: waiting("/rpc/tradeReports/pairs", "Looking for pairs"),
    failing: failing("/rpc/tradeReports/pairs"),
  }),
  ...statesOf("/admin/disputes", "admin", {
    full: {
      before: disputes,
      shows: (page) => page.getByRole("list", { name: "Requests to void bids" }),
    },
    "decision dialog": {
      before: disputes,
      open: (page) => press(page, "Decide"),
      ...dialog(/^Decide about/),
    },
    empty: {
      before: answered("/rpc/sales/disputes", { ...someDisputes, disputes: [] }),
      shows: (page) => page.getByRole("heading", { name: "No disputes" }),
    },
    loading: waiting("/rpc/sales/disputes", "Loading disputes"),
    failing: failing("/rpc/sales/disputes"),
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
