import type { Page } from "@playwright/test";
import { headline } from "../../web/content/home.ts";
import { nameOf, signedInAsAdmin, signedUp, waitingAgent } from "./people.ts";
import { agentCard } from "./steps.ts";
import { expect, test } from "./story.ts";

type Screen = readonly [path: string, title: string, heading?: string];

/** The address of every screen, with its title and, if different, its headline. */
const open: readonly Screen[] = [
  ["/", "Study abroad, well guided", headline],
  ["/login", "Login", "Welcome back"],
  ["/signup", "Sign Up", "Create your account"],
  ["/reset-password", "Reset password", "Reset your password"],
  ["/about-us", "About Us"],
  ["/meet-the-team", "Meet the Team"],
  ["/auctions", "Auctions"],
  ["/explore", "Explore programmes"],
  ["/programmes", "Programmes abroad", "Programmes"],
  ["/compare", "Compare programmes"],
  ["/grading-guide", "Grading guide"],
  ["/auction-rules", "Auction rules"],
  ["/api/docs", "API reference"],
  ["/contact", "Contact"],
  ["/privacy", "Privacy"],
  ["/terms", "Terms"],
];
const forSignedIn: readonly Screen[] = [
  ["/upload-product", "Upload Product"],
  ["/product-list", "Your products"],
  ["/my-bids", "My bids"],
  ["/notifications", "Notifications"],
  ["/security", "Login and security"],
  ["/your-data", "Your data"],
  ["/devices", "Your devices"],
];
const forStudents: readonly Screen[] = [
  ["/student-dashboard", "Student dashboard", "Hello, Ada"],
  ["/student-profile", "Student profile"],
  ["/student-documents", "Your documents"],
  ["/who-looked", "Who looked at your papers"],
  ["/application", "Your Applications"],
  ["/shortlist", "Shortlist"],
  ["/messages", "Messages"],
];
const forAgents: readonly Screen[] = [
  ["/agent-dashboard", "Agent dashboard", "Hello, Kofi"],
  ["/agent-profile", "Agent profile"],
  ["/today", "Today"],
  ["/manage-students", "Manage Students"],
  ["/invitations", "Invitations"],
  ["/manage-students/changes", "Past changes"],
  ["/offers", "Offers to answer"],
  ["/api-keys", "API keys"],
  ["/webhooks", "Webhooks"],
  ["/shortlist", "Shortlist"],
  ["/messages", "Messages"],
];
const forAdmins: readonly Screen[] = [
  ["/admin-dashboard", "Admin dashboard"],
  ["/today", "Today"],
  ["/admin/accounts", "Accounts"],
  ["/admin/reports", "Reports"],
  ["/admin/audit", "Audit log"],
  ["/admin/trade-reports", "Trade reports"],
  ["/admin/pairs", "Bidding pairs"],
  ["/admin/duplicates", "Possible duplicates"],
  ["/admin/disputes", "Disputes"],
  ["/admin/jobs", "Failed jobs"],
  ["/admin/task-templates", "Task templates"],
  ["/admin/programmes", "Programmes for staff", "Programmes"],
  ["/admin/programmes/new", "Programme", "Add a programme"],
  ["/admin/institutions", "Institutions"],
  ["/admin/programme-tables", "Groups and rates"],
  ["/admin/retention", "Retention"],
  ["/api-keys", "API keys"],
  ["/webhooks", "Webhooks"],
  ["/manage-students", "Manage Students"],
  ["/invitations", "Invitations"],
  ["/offers", "Offers to answer"],
  ["/shortlist", "Shortlist"],
  ["/messages", "Messages"],
];
const waiting: Screen = ["/agent-pending", "Account pending approval", "Account Pending Approval"];

async function expectScreens(page: Page, screens: readonly Screen[]): Promise<void> {
  for (const [path, title, heading = title] of screens) {
    const response = await page.goto(path);
    expect.soft(response?.status(), path).toBe(200);
    await expect.soft(page.getByRole("heading", { level: 1 }), path).toHaveText(heading);
    await expect.soft(page, path).toHaveTitle(`${title} · Wayfare`);
    await expect.soft(page, path).toHaveURL(path);
  }
}

test("everyone reaches the public screens", async ({ page }) => await expectScreens(page, open));

test("visitors are asked to log in for all other screens", async ({ page }) => {
  const guarded = [...forSignedIn, ...forStudents, ...forAgents, ...forAdmins, waiting];
  for (const [path] of guarded) {
    const response = await page.goto(path);
    expect.soft(response?.status(), path).toBe(200);
    await expect.soft(page, path).toHaveURL(`/login?next=${encodeURIComponent(path)}`);
  }
});

test("students reach their screens", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  await expectScreens(page, [...forSignedIn, ...forStudents]);
});

test("agents reach their screens", async ({ page, server, anotherBrowser }) => {
  const kofi = await waitingAgent(page, server);
  await expectScreens(page, [waiting]);
  const admin = await anotherBrowser();
  await signedInAsAdmin(admin, server.url);
  await admin.goto("/admin-dashboard");
  await agentCard(admin, nameOf(kofi)).getByRole("button", { name: "Approve" }).click();
  await expect(page).toHaveURL("/agent-dashboard");
  await expectScreens(page, [...forAgents, ...forSignedIn]);
});

test("admins reach their screens", async ({ page, server }) => {
  await signedInAsAdmin(page, server.url);
  await expectScreens(page, forAdmins);
});

test("/about leads to About Us", async ({ page }) => {
  await page.goto("/about");
  await expect(page).toHaveURL("/about-us");
});

test.describe("an unknown address", () => {
  test.use({ expectsRefusals: true });

  test("says so, with the status 404", async ({ page }) => {
    const response = await page.goto("/no/such/place");
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expect(page).toHaveTitle("Page not found · Wayfare");
    await page.getByRole("link", { name: "Go to the home page" }).click();
    await expect(page).toHaveURL("/");
  });
});
