import type { Page } from "@playwright/test";
import { notification } from "#server/features/notifications/tables.ts";
import { inDatabase } from "./auctioneer.ts";
import { hold } from "./hold.ts";
import { idAt, searchableStudent } from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./story.ts";

/** Signs a student in at this page with this many unread notifications: "Desk 1" is the oldest. */
async function studentWithNotifications(page: Page, server: Server, count: number): Promise<void> {
  await searchableStudent(page, server.url);
  const userId = await idAt(page, server.url);
  const rows = Array.from({ length: count }, (_, at) => ({
    userId,
    kind: "auctionLost" as const,
    eventKey: `lost:${at}`,
    about: { product: `Desk ${at + 1}`, price: "R151.00" },
    path: "/my-bids",
  }));
  await inDatabase(server, ({ services }) => services.database.db.insert(notification).values(rows));
}

const bell = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const panel = (page: Page) => page.getByRole("region", { name: "Newest notifications" });

test("closing the bell's panel marks what it showed as read, and nothing else", async ({ page, server }) => {
  await studentWithNotifications(page, server, 24);
  await page.setViewportSize({ width: 1280, height: 1100 });
  await page.goto("/student-dashboard");
  await bell(page, "Notifications, 24 unread").click();
  await expect(panel(page).getByRole("listitem")).toHaveCount(8);
  await expect(panel(page).getByRole("link", { name: /^All notifications/ })).toHaveText(
    "All notifications (16 more unread)",
  );
  await page.keyboard.press("Escape");
  await expect(bell(page, "Notifications, 16 unread")).toBeVisible();

  await page.goto("/notifications");
  const entries = page.getByRole("main").getByRole("link");
  await expect(entries.filter({ hasText: "New" })).toHaveCount(16);
  await expect(entries.filter({ hasText: "Desk 24" })).not.toContainText("New");
});

test("the link to all notifications stays in place while the newest load", async ({ page, server }) => {
  const letGo = await hold(page, "**/rpc/notifications/list");
  await searchableStudent(page, server.url);
  await page.goto("/student-dashboard");
  await bell(page, "Notifications").click();
  const link = panel(page).getByRole("link", { name: "All notifications" });
  await expect(link).toBeVisible();
  const place = await link.boundingBox();
  letGo();
  await expect(panel(page).getByText("You're all caught up.")).toBeVisible();
  expect(await link.boundingBox()).toEqual(place);
});

test("an entry that is opened on the page is marked as read", async ({ page, server }) => {
  await studentWithNotifications(page, server, 2);
  await page.goto("/notifications");
  await expect(bell(page, "Notifications, 2 unread")).toBeVisible();
  const entry = page.getByRole("main").getByRole("link", { name: /You didn't win Desk 1/ });
  await expect(entry).toContainText("New");
  await entry.click();
  await expect(page).toHaveURL("/my-bids");
  await expect(bell(page, "Notifications, 1 unread")).toBeVisible();
  await page.goBack();
  await expect(entry).not.toContainText("New");
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(bell(page, "Notifications")).toBeVisible();
});

test("entries that don't fit in the panel are marked as read once scrolled to", async ({ page, server }) => {
  await studentWithNotifications(page, server, 24);
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto("/student-dashboard");
  await bell(page, "Notifications, 24 unread").click();
  await expect(panel(page).getByRole("listitem")).toHaveCount(8);
  await page.keyboard.press("Escape");
  const some = page.getByRole("button", { name: /^Notifications, (1[7-9]|2[0-3]) unread$/ });
  await some.click();
  await panel(page).getByRole("listitem").last().scrollIntoViewIfNeeded();
  await page.keyboard.press("Escape");
  await expect(bell(page, "Notifications, 16 unread")).toBeVisible();
});

test("a mail's link leads past the notifications to the choice of mails", async ({ page, server }) => {
  await studentWithNotifications(page, server, 40);
  await page.goto("/notifications#mails");
  const choice = page.getByRole("heading", { name: "Email and push notifications" });
  await expect(choice).toBeInViewport();
  await page.goto("/notifications");
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeInViewport();
  await expect(choice).not.toBeInViewport();
  await page.getByRole("link", { name: "Choose which emails you get" }).click();
  await expect(choice).toBeInViewport();
});
