import { pdf } from "#tests/support/files.ts";
import { call } from "./call.ts";
import { approvedAgent, idAt, nameOf, searchableStudent, signedInAsAdmin } from "./people.ts";
import { expect, test } from "./story.ts";
import { aFile, choose } from "./uploads.ts";

// The agent's open page refetches data that it may no longer see, and is refused.
test.use({ expectsRefusals: true });

test("a student stops sharing, which closes the agent's open page, and asks for another agent", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [desk, office] = [await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(desk, office, server);
  const ada = await searchableStudent(page, server.url);
  const [studentId, agentId] = [await idAt(page, server.url), await idAt(desk, server.url)];
  await call(desk.request, server.url, "students/assign", { studentId, agentId, expectedAgentId: null });
  await desk.goto(`/manage-students?filter=mine&student=${studentId}`);
  await desk.getByRole("button", { name: "Show identity details" }).click();
  await expect(desk.getByRole("button", { name: "Hide identity details" })).toBeVisible();

  await page.goto("/student-dashboard");
  await page.getByRole("button", { name: "Stop sharing my papers" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByText(/hasn't seen your identity details and files since/)).toBeVisible();
  await expect(desk.getByText(`${nameOf(ada)} stopped sharing their papers with you`)).toBeVisible();
  await expect(desk.getByRole("button", { name: "Hide identity details" })).toBeHidden();
  await page.getByRole("button", { name: "Share my papers again" }).click();
  await expect(desk.getByRole("button", { name: "Show identity details" })).toBeVisible();

  await page.getByRole("button", { name: "Ask for another agent" }).click();
  const form = page.getByRole("dialog", { name: "Ask for another agent" });
  await form.getByLabel("Reason").fill("We don't speak the same language.");
  await form.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("doesn't know that you asked")).toBeVisible();
  await office.goto("/admin-dashboard");
  const request = office.getByRole("listitem", { name: nameOf(ada) });
  await expect(request).toContainText("We don't speak the same language.");
  await request.getByRole("button", { name: /^Agent stays/ }).click();
  const answer = office.getByRole("dialog", { name: `${nameOf(kofi)} stays` });
  await answer.getByLabel("Reason").fill("Everyone else is away until January.");
  await answer.getByRole("button", { name: "Send answer" }).click();
  await expect(page.getByRole("button", { name: "Ask for another agent" })).toBeVisible();
});

test("an agent's open conversation hides its files once the student stops sharing, and everything once the agent loses the student", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [desk, office] = [await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  await approvedAgent(desk, office, server);
  const ada = await searchableStudent(page, server.url);
  const [studentId, agentId] = [await idAt(page, server.url), await idAt(desk, server.url)];
  await call(desk.request, server.url, "students/assign", { studentId, agentId, expectedAgentId: null });
  await page.goto("/messages");
  await page.getByRole("link", { name: "General questions" }).click();
  await choose(page, "Add files", aFile("passport.pdf", pdf()));
  await expect(page.getByRole("list", { name: "Files to send" })).toContainText("passport.pdf");
  await page.getByRole("main").getByRole("button", { name: "Send" }).click();
  await expect(page).toHaveURL(/\/messages\/[0-9a-f-]{36}$/);

  await desk.goto("/messages");
  await desk
    .getByRole("list", { name: "Waiting for us" })
    .getByRole("link", { name: nameOf(ada) })
    .click();
  const files = desk
    .getByRole("region", { name: "Messages", exact: true })
    .getByRole("list", { name: "Files" });
  await expect(files).toContainText("passport.pdf");
  await call(page.request, server.url, "students/setSharing", { shares: false });
  await expect(files).toHaveText("A file It isn't shared with you.");
  await call(page.request, server.url, "students/setSharing", { shares: true });
  await expect(files).toContainText("passport.pdf");
  await call(office.request, server.url, "students/assign", {
    studentId,
    agentId: null,
    expectedAgentId: agentId,
  });
  await expect(desk.getByRole("heading", { name: "This conversation isn't here" })).toBeVisible();
  await expect(files).toHaveCount(0);
});
