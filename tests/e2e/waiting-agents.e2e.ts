import { nameOf, signedInAsAdmin, signedUp, waitingAgent } from "./people.ts";
import { agentCard, openTab, results } from "./steps.ts";
import { expect, test } from "./story.ts";

test("the admin's other tab updates automatically", async ({ page, server, anotherBrowser }) => {
  await signedInAsAdmin(page, server.url);
  const other = await page.context().newPage();
  await page.goto("/admin-dashboard");
  await other.goto("/admin-dashboard");
  const counts = other.getByRole("tab");
  const tabTexts = () => counts.allInnerTexts();
  await expect(counts.first()).toHaveText(/Pending Approvals \(\d+\)/);
  const before = (await tabTexts()).map((text) => Number(/\d+/.exec(text)?.[0]));
  const [pending = 0, approved = 0] = before;
  await expect(counts.nth(1)).toHaveText(`Approved Agents (${approved})`);

  const applicant = await anotherBrowser();
  const kofi = await waitingAgent(applicant, server);
  await expect(counts.first()).toHaveText(`Pending Approvals (${pending + 1})`);
  await expect(agentCard(other, nameOf(kofi))).toBeVisible();

  await agentCard(page, nameOf(kofi)).getByRole("button", { name: "Approve" }).click();
  await expect(counts.first()).toHaveText(`Pending Approvals (${pending})`);
  await expect(counts.nth(1)).toHaveText(`Approved Agents (${approved + 1})`);
  await expect(agentCard(other, nameOf(kofi))).toBeHidden();
});

test("waiting agents appear only once everything above them is loaded", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const kofi = await signedUp(await anotherBrowser(), server.url, "agent");
  await signedInAsAdmin(page, server.url);
  const answer = Promise.withResolvers<void>();
  await page.route("**/rpc/overview/figures", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const agents = page.waitForResponse("**/rpc/agents/list");
  await page.goto("/admin-dashboard");
  await (await agents).finished();
  await expect(page.getByRole("tab", { name: /Pending Approvals \(\d+\)/ })).toBeVisible();
  await expect(agentCard(page, nameOf(kofi))).toHaveCount(0);
  answer.resolve();
  await expect(agentCard(page, nameOf(kofi))).toBeVisible();
});

test("waiting agents stay in place when nothing is loaded below them", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const kofi = await signedUp(await anotherBrowser(), server.url, "agent");
  await signedInAsAdmin(page, server.url);
  const answer = Promise.withResolvers<void>();
  const none = { byState: [], byWaiting: [], byIntake: [], byDestination: [], byAgent: [] };
  await page.route("**/rpc/students/figures", async (route) => {
    await answer.promise;
    await route.fulfill({ json: { json: none } });
  });
  await page.goto("/admin-dashboard");
  const card = agentCard(page, nameOf(kofi));
  await expect(card).toBeVisible();
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  const place = await card.boundingBox();
  const figures = page.waitForResponse("**/rpc/students/figures");
  answer.resolve();
  await (await figures).finished();
  await expect(page.getByRole("region", { name: /^Loading/ })).toHaveCount(0);
  expect(await card.boundingBox()).toEqual(place);
});

test("an admin sees a sentence in place of empty lists", async ({ page, server }) => {
  // This browser gets a fake answer, because the other stories leave agents behind.
  await page.route("**/rpc/agents/list", (route) =>
    route.fulfill({ json: { json: { agents: [], next: null } } }),
  );
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin-dashboard");
  await expect(page.getByText("No pending agent applications.")).toBeVisible();
  await expect(results(page)).toHaveText("No agents");
  await openTab(page, "Approved Agents");
  await expect(page.getByText("No approved agents yet.")).toBeVisible();
  await openTab(page, "Revoked and denied");
  await expect(page.getByText("No revoked, denied, disabled or leaving agents.")).toBeVisible();
});

test("a waiting agent goes home, or logs out to the login screen", async ({ page, server }) => {
  await signedUp(page, server.url, "agent");
  await page.goto("/agent-pending");
  await expect(page.getByRole("main").getByRole("listitem")).not.toHaveCount(0);
  await expect(page.getByRole("link", { name: "support@wayfare.example" })).toHaveAttribute(
    "href",
    "mailto:support@wayfare.example",
  );
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/agent-pending");
  await page.getByRole("button", { name: "Go to Login" }).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign Up" })).toBeVisible();
  await page.goto("/agent-pending");
  await expect(page).toHaveURL("/login?next=%2Fagent-pending");
});
