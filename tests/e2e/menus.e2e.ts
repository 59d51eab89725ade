import type { Locator, Page } from "@playwright/test";
import { nameOf, signedInAsAdmin, signedUp, waitingAgent } from "./people.ts";
import { accountMenu, agentCard, openSidebar } from "./steps.ts";
import { adminOfStory, expect, test } from "./story.ts";

type Entry = readonly [name: string, path: string];

const forEveryone: readonly Entry[] = [
  ["About Us", "/about-us"],
  ["Meet the Team", "/meet-the-team"],
  ["Programmes", "/programmes"],
  ["Auctions", "/auctions"],
];

/** Expects exactly these links, in any order. */
async function expectLinks(within: Locator, entries: readonly Entry[]): Promise<void> {
  for (const [name, path] of entries)
    await expect(within.getByRole("link", { name, exact: true }), name).toHaveAttribute("href", path);
  await expect(within.getByRole("link")).toHaveCount(entries.length);
}

/** Expects the sidebar and the dropdown of a signed-in user. */
async function expectMenus(page: Page, email: string, dashboard: Entry, entries: readonly Entry[]) {
  const banner = page.getByRole("banner");
  await expectLinks(banner.getByRole("navigation", { name: "Main" }), forEveryone);
  await expect(banner.getByRole("link", { name: "Login" })).toHaveCount(0);
  await banner.getByRole("button", { name: "Notifications" }).click();
  await expect(banner.getByRole("link", { name: "All notifications" })).toHaveAttribute(
    "href",
    "/notifications",
  );
  await page.keyboard.press("Escape");
  await banner.getByRole("button", { name: email, exact: true }).click();
  await expectLinks(accountMenu(page), entries);
  await expect(accountMenu(page).getByRole("button", { name: "Logout" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(accountMenu(page)).toBeHidden();

  const sidebar = await openSidebar(page);
  await expectLinks(sidebar, [...forEveryone, dashboard]);
  await expect(sidebar.getByRole("button", { name: "Logout" })).toBeVisible();
}

test("visitors find login and sign-up", async ({ page }) => {
  await page.goto("/privacy");
  const banner = page.getByRole("banner");
  await expectLinks(banner.getByRole("navigation", { name: "Main" }), forEveryone);
  for (const [name, path] of [
    ["Login", "/login"],
    ["Sign Up", "/signup"],
  ] as const)
    await expect(banner.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
  const sidebar = await openSidebar(page);
  await expectLinks(sidebar, [...forEveryone, ["Login", "/login"], ["Sign Up", "/signup"]]);
  await sidebar.getByRole("link", { name: "About Us" }).click();
  await expect(page).toHaveURL("/about-us");
  await expect(sidebar).toBeHidden();
  await banner.getByRole("link", { name: "Wayfare" }).click();
  await expect(page).toHaveURL("/");
});

test("students find their dashboard and profile", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  await page.goto("/student-dashboard");
  const dashboard = "/student-dashboard";
  await expectMenus(
    page,
    ada.email,
    ["Student Dashboard", dashboard],
    [
      ["Dashboard", dashboard],
      ["Messages", "/messages"],
      ["Edit Profile", "/student-profile"],
      ["My bids", "/my-bids"],
      ["Login and security", "/security"],
      ["Your data", "/your-data"],
    ],
  );
});

test("agents who wait for their approval find the pages that are open to them", async ({ page, server }) => {
  const kofi = await waitingAgent(page, server);
  await page.goto("/");
  await expectMenus(
    page,
    kofi.email,
    ["Agent Dashboard", "/agent-dashboard"],
    [
      ["Dashboard", "/agent-dashboard"],
      ["Upload Product", "/upload-product"],
      ["View Products", "/product-list"],
      ["My bids", "/my-bids"],
      ["Login and security", "/security"],
      ["Your data", "/your-data"],
    ],
  );
});

test("agents find their dashboard and products", async ({ page, server, anotherBrowser }) => {
  const kofi = await waitingAgent(page, server);
  const admin = await anotherBrowser();
  await signedInAsAdmin(admin, server.url);
  await admin.goto("/admin-dashboard");
  await agentCard(admin, nameOf(kofi)).getByRole("button", { name: "Approve" }).click();
  await page.goto("/agent-pending");
  await expect(page).toHaveURL("/agent-dashboard");
  const dashboard = "/agent-dashboard";
  await expectMenus(
    page,
    kofi.email,
    ["Agent Dashboard", dashboard],
    [
      ["Dashboard", dashboard],
      ["Today", "/today"],
      ["Messages", "/messages"],
      ["Upload Product", "/upload-product"],
      ["View Products", "/product-list"],
      ["Invitations", "/invitations"],
      ["My bids", "/my-bids"],
      ["Login and security", "/security"],
      ["Your data", "/your-data"],
      ["Webhooks", "/webhooks"],
    ],
  );
});

test("admins find their dashboard and all students", async ({ page, server }) => {
  await signedInAsAdmin(page, server.url);
  await page.goto("/");
  const dashboard = "/admin-dashboard";
  await expectMenus(
    page,
    adminOfStory().email,
    ["Admin Dashboard", dashboard],
    [
      ["Dashboard", dashboard],
      ["Today", "/today"],
      ["Manage Students", "/manage-students"],
      ["Messages", "/messages"],
      ["Invitations", "/invitations"],
      ["Catalogue", "/admin/programmes"],
      ["My bids", "/my-bids"],
      ["Login and security", "/security"],
      ["Your data", "/your-data"],
      ["Webhooks", "/webhooks"],
    ],
  );
});

test("on a phone everything is in the sidebar", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const ada = await signedUp(page, server.url, "student");
  // Leaving during the request would be refused.
  const dashboard = page.waitForResponse("**/rpc/students/dashboard*");
  await page.goto("/student-dashboard");
  await dashboard;
  await expect(page.getByRole("banner").getByRole("navigation", { name: "Main" })).toBeHidden();
  await expect(page.getByRole("banner").getByRole("button", { name: ada.email })).toBeHidden();
  const sidebar = await openSidebar(page);
  await expect(sidebar.getByText(ada.email)).toBeVisible();
  await expectLinks(sidebar, [
    ...forEveryone,
    ["Student Dashboard", "/student-dashboard"],
    ["Messages", "/messages"],
    ["Edit Profile", "/student-profile"],
    ["My bids", "/my-bids"],
    ["Login and security", "/security"],
    ["Your data", "/your-data"],
  ]);
  await sidebar.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
});

test("the footer links to other pages and to the social networks", async ({ page }) => {
  await page.goto("/");
  const footer = page.getByRole("contentinfo");
  await expectLinks(footer.getByRole("navigation"), [
    ["Explore", "/explore"],
    ["About", "/about"],
    ["Contact", "/contact"],
    ["Privacy", "/privacy"],
    ["Terms", "/terms"],
  ]);
  for (const [name, site] of [
    ["Facebook", /^https:\/\/(www\.)?facebook\.com\//],
    ["Instagram", /^https:\/\/(www\.)?instagram\.com\//],
    ["X", /^https:\/\/(www\.)?x\.com\//],
    ["LinkedIn", /^https:\/\/(www\.)?linkedin\.com\//],
  ] as const)
    await expect(footer.getByRole("link", { name, exact: true })).toHaveAttribute("href", site);
  await footer.getByRole("link", { name: "About" }).click();
  await expect(page).toHaveURL("/about-us");
});
