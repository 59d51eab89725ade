import type { Page } from "@playwright/test";
import type { LookRow } from "#contract/looks.ts";
import { pushKindsOf } from "#domain/push.ts";
import { pdf } from "#tests/support/files.ts";
import { aFile, choose, notADocument } from "../e2e/uploads.ts";
import { bell, openBell } from "./frame.ts";
import {
  answered,
  dialog,
  failAt,
  failing,
  goOffline,
  headed,
  press,
  type Screen,
  statesOf,
  waiting,
} from "./screen.ts";

/** Chooses a valid file and an invalid one, each with its slot. */
const chooseFiles = (page: Page) =>
  choose(
    page,
    "Choose files",
    aFile("recommendation by Professor Adebayo Ogunlesi, Lagos.pdf", pdf(2_400_000)),
    aFile("page.pdf", notADocument),
  );

/** The answer to a caller whose session has ended. */
const loggedOut = {
  defined: true,
  code: "unauthenticated",
  status: 401,
  message: "Please log in to continue.",
};

const dashboard = [
  ...statesOf("/student-dashboard", "student", {
    full: { shows: (page) => page.getByText("Your next step") },
    loading: waiting("/rpc/students/dashboard", "Loading your dashboard"),
    "who is it": waiting("/rpc/account/me", "Loading"),
    failing: failing("/rpc/students/dashboard"),
    offline: {
      open: async (page) => {
        await page.getByText("Your next step").waitFor();
        await goOffline(page);
      },
      shows: (page) => page.getByText("Your next step"),
    },
    "things to do": {
      open: (page) => press(page, "See what to do"),
      shows: (page) => page.getByRole("button", { name: /^Choose and send/ }).first(),
    },
    "due failing": failing("/rpc/planner/mine"),
    "profile dialog": {
      open: (page) => press(page, "Update Personal Details"),
      shows: (page) => page.getByRole("dialog", { name: "Personal details" }).getByLabel("First name"),
    },
    "application dialog": {
      open: (page) => press(page, "View Applications"),
      shows: (page) => page.getByRole("dialog").getByText("MA Service Design"),
    },
    "application dialog at its form": {
      open: (page) => press(page, "Start Application"),
      shows: (page) => page.getByRole("dialog").getByLabel("Programme"),
    },
    "documents dialog": {
      open: (page) => press(page, "Upload Documents"),
      shows: (page) => page.getByRole("dialog").getByRole("listitem", { name: "Passport" }),
    },
  }),
  ...statesOf("/student-dashboard", "newcomer", {
    empty: { shows: (page) => page.getByText("No agent assigned yet.") },
    bell: { open: openBell, shows: (page) => bell(page).getByText("You're all caught up.") },
  }),
];

/** Looks by people with long names and by a deleted account, one of them over midnight. */
const longLooks: LookRow[] = [
  {
    id: "2",
    from: new Date("2026-11-21T20:50:00Z"),
    to: new Date("2026-11-21T22:20:00Z"),
    viewer: {
      right: "agent",
      name: "Donaudampfschiffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter",
      agency: "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz",
    },
    seen: [
      { thing: "identity" },
      { thing: "studentFile" },
      { thing: "document", kind: "passport", name: `${"scan-".repeat(20)}.pdf`, saved: true },
      { thing: "document", kind: "cv", name: null, saved: false },
      { thing: "messageFile", name: `${"letter".repeat(20)}.pdf`, saved: false },
      { thing: "requestedDocument", name: "Bank statement of the last six months", saved: false },
      { thing: "offerLetter", name: "MSc Data Science", saved: true },
    ],
    reasons: ["x".repeat(300)],
  },
  {
    id: "1",
    from: new Date("2026-11-20T08:00:00Z"),
    to: new Date("2026-11-20T08:00:00Z"),
    viewer: { right: "agent", name: null, agency: "" },
    seen: [{ thing: "identity" }],
    reasons: [],
  },
];

const studies = [
  ...statesOf("/student-profile", "student", {
    full: { shows: (page) => page.getByLabel("First name") },
    loading: waiting("/rpc/profile/mine", "Loading the profile"),
    failing: failing("/rpc/profile/mine"),
    "error beside its field": {
      open: async (page) => {
        await page.getByLabel("First name").fill("");
        await press(page, "Save Profile");
        await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
      },
      shows: (page) => page.getByText("Please enter your first name."),
    },
    hints: {
      open: async (page) => {
        await page.getByLabel("Date of birth").fill("2024-05-01");
        await page.getByLabel("Passport expiry").fill("2020-01-31");
      },
      shows: (page) => page.getByText("This passport has expired."),
    },
    "session gone": {
      before: async (page) =>
        void (await page.route("**/rpc/profile/save", (route) =>
          route.fulfill({ status: 401, json: { json: loggedOut } }),
        )),
      open: (page) => press(page, "Save Profile"),
      shows: (page) => page.getByRole("dialog", { name: "Please log in again" }).getByLabel("Email"),
      complains: "refusals",
    },
    record: { shows: (page) => page.getByRole("heading", { name: "IELTS Academic 6.5" }) },
    "record loading": waiting("/rpc/studyRecord/read", "Loading your record"),
    "record failing": failing("/rpc/studyRecord/read"),
    "qualification form": {
      open: (page) => press(page, "Change West African Senior School Certificate"),
      ...dialog("Change qualification"),
    },
    "test form": { open: (page) => press(page, "Add an English test"), ...dialog("Add an English test") },
    "record entry removed": {
      open: (page) => press(page, "Remove IELTS Academic 6.5"),
      ...dialog("Remove from the record"),
    },
    "another email": {
      open: (page) => page.getByRole("main").getByLabel("Email").fill("ada@another.example"),
      shows: (page) => page.getByLabel("Your password"),
    },
  }),
  ...statesOf("/student-documents", "student", {
    full: { shows: (page) => page.getByText("Why it was rejected:") },
    "replacing asked": {
      open: async (page) => {
        await choose(page, "Choose files", aFile("my new transcript.pdf", pdf()), aFile("cv.pdf", pdf()));
        await press(page, "Upload 2 files");
      },
      shows: (page) => page.getByRole("dialog", { name: /^Replace/ }),
    },
    "misplaced dialog": {
      open: (page) => press(page, "Move or remove Statement of purpose"),
      ...dialog("Move or remove Statement of purpose"),
    },
    loading: waiting("/rpc/documents/ofStudent", "Loading documents"),
    failing: failing("/rpc/documents/ofStudent"),
  }),
  ...statesOf("/who-looked", "student", {
    full: { shows: (page) => page.getByText("Reason:") },
    "long names": {
      before: answered("/rpc/looks/mine", { looks: longLooks, next: null }),
      shows: (page) => page.getByText("A former agent"),
    },
    loading: waiting("/rpc/looks/mine", "Loading looks"),
    failing: failing("/rpc/looks/mine"),
  }),
  ...statesOf("/who-looked", "newcomer", {
    empty: { shows: (page) => page.getByRole("heading", { name: "Nobody has looked yet" }) },
  }),
  ...statesOf("/student-profile", "newcomer", {
    "record empty": { shows: (page) => page.getByText("No English tests yet.") },
  }),
  ...statesOf("/student-documents", "newcomer", {
    empty: { shows: (page) => page.getByRole("listitem", { name: "Passport" }) },
    "chosen files": {
      open: chooseFiles,
      shows: (page) => page.getByText("This isn't a PDF, JPEG or PNG file."),
    },
  }),
  ...statesOf("/application", "student", {
    full: { shows: (page) => page.getByText("MA Service Design") },
    loading: waiting("/rpc/applications/mine", "Loading applications"),
    failing: failing("/rpc/applications/mine"),
    "timeline open": {
      open: (page) => page.getByText("Timeline").first().click(),
      shows: (page) => page.getByText("Information required").nth(1),
    },
    "offer's condition met": {
      open: (page) => press(page, "I've met this: IELTS 6.5 overall"),
      ...dialog("I've met this condition"),
    },
    "decline dialog": { open: (page) => press(page, "Decline offer"), ...dialog("Decline offer") },
    "offer failing": failing("/rpc/offers/ofApplication"),
    "form open": {
      open: (page) => press(page, "Start another application"),
      shows: (page) => page.getByLabel("Programme"),
    },
    "withdraw dialog": { open: (page) => press(page, "Withdraw"), ...dialog("Withdraw application") },
  }),
  ...statesOf("/application", "newcomer", {
    empty: { shows: (page) => page.getByText(/^Nothing submitted yet/) },
    "error modal": { open: (page) => press(page, "Submit Application"), ...dialog("Application Error") },
  }),
  ...statesOf("/shortlist", "student", {
    full: { shows: (page) => page.getByRole("link", { name: "Visit" }) },
    loading: waiting("/rpc/shortlist/list", "Loading the shortlist"),
    failing: failing("/rpc/shortlist/list"),
    "error modal": { open: (page) => press(page, "Add Item"), ...dialog("Shortlist Error") },
    "remove dialog": {
      open: (page) => page.getByRole("button", { name: "Remove" }).first().click(),
      ...dialog("Remove item"),
    },
  }),
  ...statesOf("/shortlist", "newcomer", {
    empty: { shows: (page) => page.getByText("No items in the shortlist.") },
  }),
];

const notificationScreens = [
  ...statesOf("/notifications", "student", {
    full: { shows: (page) => page.getByRole("button", { name: "Mark all as read" }) },
    loading: waiting("/rpc/notifications/list", "Loading notifications"),
    failing: failing("/rpc/notifications/list"),
    "mails failing": failing("/rpc/notifications/mailSwitches"),
    "clock failing": failing("/rpc/planner/settings"),
    "told on this device": {
      before: async (page) => {
        await page.addInitScript('Object.defineProperty(Notification, "permission", { value: "granted" })');
        const switches = pushKindsOf("student").map((kind, at) => ({ kind, on: at > 0 }));
        await answered("/rpc/push/settings", { subscribed: true, switches })(page);
      },
      shows: (page) => page.getByRole("button", { name: "Stop on this device" }),
    },
    "no push in this browser": {
      before: (page) => page.addInitScript("delete window.PushManager"),
      shows: (page) => page.getByText("This browser can't show news"),
    },
    "calendar made": {
      before: answered("/rpc/planner/makeCalendar", {
        url: `https://wayfare.example/calendar/${"x".repeat(43)}.ics`,
      }),
      open: (page) => press(page, "Make a calendar address"),
      ...dialog("Your calendar's address"),
    },
  }),
  ...statesOf("/notifications", "newcomer", { empty: headed("Notifications") }),
  ...statesOf("/your-data", "student", {
    full: headed("Your data"),
    "download started": {
      before: answered("/rpc/account/dataLink", {
        url: "/auctions",
        expiresAt: new Date("2026-11-22T12:00:00.000Z"),
        files: 14,
        bytes: 35_400_000,
      }),
      open: (page) => press(page, "Download my data"),
      shows: (page) => page.getByText("14 files"),
    },
    "delete dialog": {
      open: (page) => press(page, "Delete my account"),
      ...dialog("Delete your account?"),
    },
    "delete failing": {
      before: failAt("/rpc/account/requestDeletion"),
      open: async (page) => {
        await press(page, "Delete my account");
        await page.getByRole("dialog").getByRole("button", { name: "Delete my account" }).click();
      },
      complains: "refusals",
      ...dialog("Account not deleted"),
    },
  }),
  ...statesOf("/your-data", "agent", {
    "delete dialog": {
      open: (page) => press(page, "Delete my account"),
      ...dialog("Delete your account?"),
    },
  }),
  ...statesOf("/your-data", "admin", { full: headed("Your data") }),
  ...statesOf("/admin-dashboard", "student", { unauthorized: headed("Unauthorized Access") }),
];

export const studentScreens: readonly Screen[] = [...dashboard, ...studies, ...notificationScreens];
