import { openSidebar } from "../e2e/steps.ts";
import { answered, dialog, goOffline, headed, press, type Screen, statesOf } from "./screen.ts";

/** An entry of an unknown kind, which makes the page fail. */
const crashed = { entries: [{ id: 1 }], next: null };

export const publicScreens: readonly Screen[] = [
  ...statesOf("/", "visitor", {
    full: headed(/^Your degree abroad/),
    sidebar: { open: async (page) => void (await openSidebar(page)), ...dialog("Menu") },
    "another country": {
      open: async (page) => await press(page, /^Canada/),
      shows: (page) => page.getByRole("main").getByRole("button", { name: /^Canada/, pressed: true }),
    },
    "an answer open": {
      open: async (page) => await page.locator("summary").first().click(),
      shows: (page) => page.locator("details[open]"),
    },
  }),
  ...statesOf("/about-us", "visitor", { full: headed("About Us") }),
  ...statesOf("/about", "visitor", { "moved on": headed("About Us") }),
  ...statesOf("/meet-the-team", "visitor", { full: headed("Meet the Team") }),
  ...statesOf("/privacy", "visitor", { full: headed("Privacy") }),
  ...statesOf("/terms", "visitor", { full: headed("Terms") }),
  ...statesOf("/explore", "visitor", {
    full: headed("Explore programmes"),
    "error modal": { open: (page) => press(page, /^Search/), ...dialog("Search Error") },
  }),
  ...statesOf("/api/docs", "visitor", {
    full: headed("API reference"),
    "a call open": {
      open: async (page) => await page.locator("summary").first().click(),
      shows: (page) => page.locator("details[open]"),
    },
  }),
  ...statesOf("/contact", "visitor", {
    full: headed("Contact"),
    "error modal": { open: (page) => press(page, "Send message"), ...dialog("Contact Error") },
    "error beside its field": {
      open: async (page) => {
        await press(page, "Send message");
        await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
      },
      shows: (page) => page.getByText("Please enter your name."),
    },
    "offline error": {
      open: async (page) => {
        await page.getByLabel("Name").fill("Ada Obi");
        await page.getByLabel("Email").fill("ada@example.org");
        await page.getByRole("textbox", { name: "Message" }).fill("When does the January intake close?");
        await goOffline(page);
        await press(page, "Send message");
      },
      ...dialog("Contact Error"),
    },
    sent: {
      before: answered("/rpc/contact/send", {}),
      open: async (page) => {
        await page.getByLabel("Name").fill("Ada Obi");
        await page.getByLabel("Email").fill("ada@example.org");
        await page.getByRole("textbox", { name: "Message" }).fill("When does the January intake close?");
        await press(page, "Send message");
      },
      shows: (page) => page.getByRole("heading", { name: /^Thank you/ }),
    },
  }),
  ...statesOf("*", "visitor", {
    "404": { at: () => "/no/such/page", complains: "refusals", ...headed("Page not found") },
  }),
  ...statesOf("*", "student", {
    "error page": {
      at: () => "/notifications",
      before: answered("/rpc/notifications/list", crashed),
      complains: "crash",
      ...headed("Something went wrong"),
    },
  }),
];
