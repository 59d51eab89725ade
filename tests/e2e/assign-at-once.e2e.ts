import { call } from "./call.ts";
import { approvedAgent, idAt, nameOf, searchableStudent, signedInAsAdmin } from "./people.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

test("the second of two people who assign an agent concurrently is told, and decides again", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await searchableStudent(page, server.url);
  const [office, agent, other] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(agent, office, server);
  const yaw = await approvedAgent(other, office, server);
  await office.goto(`/manage-students?search=${encodeURIComponent(nameOf(ada))}`);
  const row = office.getByRole("row", { name: nameOf(ada) });
  await row.getByRole("button", { name: "Assign Agent" }).click();
  const choice = office.getByRole("dialog", { name: `Assign an agent to ${nameOf(ada)}` });
  await choice.getByLabel("Search agents").fill(yaw.lastName);
  await agent.goto("/agent-dashboard");
  await other.goto(`/manage-students?search=${encodeURIComponent(nameOf(ada))}`);
  await other
    .getByRole("row", { name: nameOf(ada) })
    .getByRole("button", { name: "Assign Agent" })
    .click();
  const theirs = other.getByRole("dialog", { name: `Assign an agent to ${nameOf(ada)}` });
  await expect(theirs.getByRole("button", { name: "Assign to me" })).toBeVisible();

  // Meanwhile the agent takes the student, which shows automatically.
  const [studentId, agentId] = [await idAt(page, server.url), await idAt(agent, server.url)];
  await call(agent.request, server.url, "students/assign", { studentId, agentId, expectedAgentId: null });
  await expect(choice.getByText(`Currently assigned to ${nameOf(kofi)}.`)).toBeVisible();
  // The other agent may not change that, and gets no button for it.
  await expect(theirs.getByText(`This student is now assigned to ${nameOf(kofi)}.`)).toBeVisible();
  await expect(theirs.getByRole("button")).toHaveText(["", "OK"]);
  await choice.getByRole("button", { name: nameOf(yaw) }).click();
  const error = office.getByRole("dialog", { name: "Error" });
  await expect(error.getByText("Error Code: failed-precondition")).toBeVisible();
  await error.getByRole("button", { name: "OK" }).click();
  await expect(row).toContainText(nameOf(kofi));

  await row.getByRole("button", { name: "Reassign" }).click();
  await choice.getByLabel("Search agents").fill(yaw.lastName);
  // Buttons still move until the other rows are gone.
  await expect(choice.getByRole("button", { name: yaw.firstName })).toHaveCount(1);
  await choice.getByRole("button", { name: nameOf(yaw) }).click();
  await expect(row).toContainText(nameOf(yaw));

  // The agent who lost the student is notified.
  await expect(agent.getByRole("button", { name: /^Notifications, \d unread/ })).toBeVisible();

  await row.getByRole("button", { name: "Reassign" }).click();
  await choice.getByRole("button", { name: "Remove agent" }).click();
  const question = office.getByRole("dialog", { name: "Remove agent", exact: true });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(choice.getByText(`Currently assigned to ${nameOf(yaw)}.`)).toBeVisible();
  await choice.getByRole("button", { name: "Remove agent" }).click();
  await question.getByRole("button", { name: "Remove agent" }).click();
  await expect(office.getByText(`${nameOf(ada)} no longer has an agent.`)).toBeVisible();
  await expect(row.getByRole("button", { name: "Assign Agent" })).toBeVisible();
});
