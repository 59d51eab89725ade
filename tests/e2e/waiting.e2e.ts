import { randomUUID } from "node:crypto";
import { user } from "#server/features/account/tables.ts";
import { inDatabase } from "./auctioneer.ts";
import { approvedAgent, idAt, signedInAsAdmin } from "./people.ts";
import { expect, test } from "./story.ts";

test("an agent's list says how many more there are, and shows them all", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  await approvedAgent(page, office, server);
  const assignedAgentId = await idAt(page, server.url);
  const students = Array.from({ length: 13 }, (_, at) => ({
    id: randomUUID(),
    name: `Student ${at}`,
    email: `student-${randomUUID()}@example.org`,
    role: "student" as const,
    status: "active" as const,
    assignedAgentId,
    assignedAt: new Date(),
  }));
  await inDatabase(server, ({ services }) => services.database.db.insert(user).values(students));
  await page.goto("/agent-dashboard");
  const list = page.getByRole("list", { name: "Assigned to you in the last 7 days" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  await page.getByRole("button", { name: "and 3 more" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(13);
  await expect(page.getByRole("button", { name: /^and \d+ more/ })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Waiting for your students" })).toHaveCount(0);
});
