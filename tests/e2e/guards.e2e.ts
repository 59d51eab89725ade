import { signedInAsAdmin, signedUp } from "./people.ts";
import { fillLogin } from "./steps.ts";
import { admins, expect, test } from "./story.ts";

test("a user who is no admin is told so at /admin-dashboard and goes to the home page", async ({
  page,
  server,
}) => {
  await signedUp(page, server.url, "student");
  await page.goto("/admin-dashboard");
  await expect(page.getByRole("heading", { name: "Unauthorized Access" })).toBeVisible();
  await expect(page).toHaveURL("/");
});

test("a visitor at /admin-dashboard logs in first and gets there", async ({ page }) => {
  await page.goto("/admin-dashboard");
  await expect(page).toHaveURL("/login?next=%2Fadmin-dashboard");
  await fillLogin(page, admins.ready);
  await expect(page).toHaveURL("/admin-dashboard");
  await expect(page.getByRole("tab", { name: /Pending Approvals/ })).toBeVisible();
});

test("uploading a product requires a login, with its own message, and returns", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await signedUp(await anotherBrowser(), server.url, "student");
  await page.goto("/upload-product");
  await expect(page).toHaveURL("/login?next=%2Fupload-product");
  await expect(page.getByText("You must be logged in to upload a product.", { exact: true })).toBeVisible();
  await fillLogin(page, ada);
  await expect(page).toHaveURL("/upload-product");
});

const studentPaths = ["/student-dashboard", "/student-profile", "/student-documents", "/application"];
const agentPaths = ["/agent-dashboard", "/agent-profile"];

test("a student elsewhere goes to the student dashboard", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  for (const path of [...agentPaths, "/agent-pending", "/manage-students", "/login", "/signup"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL("/student-dashboard");
  }
});

test("a waiting agent elsewhere goes to the waiting page, but may trade", async ({ page, server }) => {
  await signedUp(page, server.url, "agent");
  for (const path of [...agentPaths, ...studentPaths, "/manage-students", "/shortlist", "/login"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL("/agent-pending");
  }
  await page.goto("/upload-product");
  await expect(page.getByRole("heading", { name: "Upload Product" })).toBeVisible();
  await expect(page).toHaveURL("/upload-product");
});

test("an admin elsewhere goes to the admin dashboard", async ({ page, server }) => {
  await signedInAsAdmin(page, server.url);
  for (const path of [...agentPaths, ...studentPaths, "/agent-pending", "/login", "/signup"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL("/admin-dashboard");
  }
});

const foreign = [
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "https://evil.example",
  "javascript:alert(1)",
];

test("login does not lead to another site", async ({ page, server, anotherBrowser }) => {
  const ada = await signedUp(await anotherBrowser(), server.url, "student");
  await page.goto("/login?next=//evil.example");
  await fillLogin(page, ada);
  await expect(page).toHaveURL("/student-dashboard");
  // A viewer who is signed in already is redirected immediately.
  for (const next of foreign) {
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await expect(page, next).toHaveURL("/student-dashboard");
  }
  await page.goto("/login?next=%2Fmy-bids");
  await expect(page).toHaveURL("/my-bids");
});

test.describe("without an answer", () => {
  test.use({ expectsRefusals: true });

  test("a guarded page offers to try again instead of asking to log in", async ({
    page,
    server,
    complaints,
  }) => {
    await signedUp(page, server.url, "student");
    await page.route("**/rpc/account/me", (route) => route.abort());
    await page.goto("/student-dashboard");
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    await expect(page).toHaveURL("/student-dashboard");
    await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toHaveCount(0);
    await page.unroute("**/rpc/account/me");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("heading", { name: "Hello, Ada" })).toBeVisible();
    expect(complaints.splice(0).every((text) => text.includes("net::ERR_FAILED"))).toBe(true);
  });
});
