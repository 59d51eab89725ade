import type { Page } from "@playwright/test";
import { answered, dialog, failAt, failing, press, type Screen, statesOf, waiting } from "./screen.ts";

const long = "featherstonehaugh-cholmondeley";
const invited = (number: number, changes: object = {}) => ({
  id: `7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6e0${number}`,
  firstName: "Efua",
  lastName: "Owusu",
  email: "efua.owusu@example.org",
  message: "We met at the fair in Accra. I'd be glad to help you with your applications.",
  role: "student",
  agency: "",
  country: "",
  state: "invited",
  sentAt: new Date("2026-11-20T09:00:00.000Z"),
  expiresAt: new Date("2026-12-04T09:00:00.000Z"),
  endedAt: null,
  by: null,
  ...changes,
});
const ended = { endedAt: new Date("2026-11-22T15:30:00.000Z"), message: "" };
const invitations = [
  invited(1),
  invited(2, { firstName: "Kwabena", state: "claimed", ...ended, email: "kwabena@example.org" }),
  invited(3, {
    firstName: "",
    lastName: "",
    state: "declined",
    ...ended,
    email: `${long}@${long}.example.org`,
  }),
  invited(4, { firstName: "Bartholomew", lastName: long, state: "expired", message: "" }),
  invited(5, { firstName: "Yaa", state: "withdrawn", ...ended, by: "Kofi Mensah" }),
  invited(6, { firstName: "Kojo", role: "agent", agency: `Gold Coast ${long}`, country: "Ghana" }),
];
const list = answered("/rpc/invitations/list", { invitations, next: null });

const mailed = { at: () => "/invitation?token=any" };
const offer = (account: string, changes: object = {}) =>
  answered("/rpc/invitations/look", {
    inviter: { name: "Kofi Mensah", agency: "North Star", guides: true },
    role: "student",
    agency: "",
    country: "",
    message: "We met at the fair in Accra. I'd be glad to help you with your applications.",
    firstName: "Efua",
    lastName: "Owusu",
    email: "efua.owusu@example.org",
    account,
    expiresAt: new Date("2026-12-04T09:00:00.000Z"),
    ...changes,
  });
const asAgent = (account: string) => ({
  before: offer(account, {
    role: "agent",
    agency: `Gold Coast ${long}`,
    country: "Ghana",
    inviter: { name: "Ama Boateng", agency: "", guides: false },
  }),
});
const declineButton = (page: Page) => page.getByRole("button", { name: "No, thank you" });

const request = (number: number, changes: object = {}) => ({
  id: `7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6f0${number}`,
  student: { id: "7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6a01", name: "Ada Obi" },
  agent: { id: "7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6a02", name: "Kofi Mensah" },
  reason: "I've written three times since September and had no answer. My deadline is in two weeks.",
  askedAt: new Date("2026-11-20T09:00:00.000Z"),
  dueAt: new Date("2026-11-27T09:00:00.000Z"),
  overdue: false,
  ...changes,
});
const requests = answered("/rpc/agents/changeRequests", {
  requests: [
    request(1, {
      overdue: true,
      dueAt: new Date("2026-11-13T09:00:00.000Z"),
      student: { id: "x", name: `Bartholomew ${long}` },
    }),
    request(2),
  ],
  total: 2,
  next: null,
});

export const peopleScreens: readonly Screen[] = [
  ...statesOf("/invitations", "agent", {
    full: { before: list, shows: (page) => page.getByRole("listitem", { name: "Kwabena Owusu" }) },
    empty: { shows: (page) => page.getByRole("heading", { name: "No invitations yet" }) },
    loading: waiting("/rpc/invitations/list", "Loading invitations"),
    failing: failing("/rpc/invitations/list"),
    "invite dialog": { open: (page) => press(page, "Invite a student"), ...dialog("Invite a student") },
    "file dialog": {
      open: async (page) => {
        await press(page, "Invite from a file");
        await page.getByLabel("CSV file").setInputFiles({
          name: "school.csv",
          mimeType: "text/csv",
          buffer: Buffer.from("Email,First name,Family name\nama@example.org,Ama,Owusu"),
        });
      },
      shows: (page) => page.getByText("1 row. Which column is what?"),
    },
    "withdraw dialog": {
      before: list,
      open: (page) => press(page, "Withdraw: Efua Owusu"),
      ...dialog("Withdraw invitation"),
    },
    "sending failing": {
      before: async (page) => {
        await list(page);
        await failAt("/rpc/invitations/sendAgain")(page);
      },
      open: (page) => press(page, "Send again: Efua Owusu"),
      complains: "refusals",
      ...dialog("Error"),
    },
  }),
  ...statesOf("/invitations", "admin", {
    full: { before: list, shows: (page) => page.getByText(/^As an agent of/) },
    "invite an agent dialog": {
      open: (page) => press(page, "Invite an agent"),
      ...dialog("Invite an agent"),
    },
  }),
  ...statesOf("/invitation", "visitor", {
    new: {
      ...mailed,
      before: offer("new"),
      shows: (page) => page.getByLabel("Confirm password", { exact: true }),
    },
    "not logged in": {
      ...mailed,
      before: offer("yours"),
      shows: (page) => page.getByRole("link", { name: "Log in to answer" }),
    },
    closed: { ...mailed, before: offer("closed"), shows: declineButton },
    "as an agent": {
      ...mailed,
      ...asAgent("new"),
      shows: (page) => page.getByText(/^Your account's address/),
    },
    "as an agent, applied": {
      ...mailed,
      ...asAgent("yours"),
      shows: (page) => page.getByRole("link", { name: "Log in to answer" }),
    },
    "as an agent, closed": { ...mailed, ...asAgent("closed"), shows: declineButton },
    "without a token": { shows: (page) => page.getByText(/can't be answered any more/) },
    loading: { ...mailed, ...waiting("/rpc/invitations/look", "Loading") },
    failing: { ...mailed, ...failing("/rpc/invitations/look") },
  }),
  ...statesOf("/invitation", "student", {
    "other account": {
      ...mailed,
      before: offer("yours"),
      shows: (page) => page.getByText(/^This invitation is for/),
    },
    "has an agent": {
      ...mailed,
      before: offer("taken"),
      shows: (page) => page.getByText(/already have an agent/),
    },
  }),
  ...statesOf("/admin-dashboard", "admin", {
    "requests for another agent": {
      before: requests,
      shows: (page) => page.getByRole("heading", { name: "Requests for another agent (2)" }),
    },
    "agent stays dialog": {
      before: requests,
      open: (page) => press(page, "Agent stays: Ada Obi"),
      ...dialog("Kofi Mensah stays"),
    },
  }),
  ...statesOf("/student-dashboard", "student", {
    "stop sharing dialog": {
      open: (page) => press(page, "Stop sharing my papers"),
      ...dialog("Stop sharing your papers?"),
    },
    "another agent dialog": {
      open: (page) => press(page, "Ask for another agent"),
      ...dialog("Ask for another agent"),
    },
  }),
];
