import type { Page } from "@playwright/test";
import { openSidebar } from "../e2e/steps.ts";
import { dialog, failAt, type Screen, statesOf, waiting } from "./screen.ts";

export const openBell = (page: Page) =>
  page
    .getByRole("banner")
    .getByRole("button", { name: /^Notifications/ })
    .click();
export const bell = (page: Page) => page.getByRole("region", { name: "Newest notifications" });

/** States of the frame around every screen of a signed-in person. */
export const frameScreens: readonly Screen[] = statesOf("/student-dashboard", "student", {
  "account menu": {
    open: (page) =>
      page
        .getByRole("banner")
        .getByRole("button", { name: /@example/ })
        .click(),
    shows: (page) => page.getByRole("list", { name: "Account" }),
  },
  sidebar: { open: async (page) => void (await openSidebar(page)), ...dialog("Menu") },
  bell: { open: openBell, shows: (page) => bell(page).getByRole("listitem") },
  "bell, loading": {
    ...waiting("/rpc/notifications/list", "Loading notifications"),
    open: openBell,
  },
  "bell, failing": {
    before: failAt("/rpc/notifications/list"),
    open: openBell,
    shows: (page) => bell(page).getByRole("button", { name: "Retry" }),
    complains: "refusals",
  },
});
