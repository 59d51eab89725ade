import type { Page } from "@playwright/test";
import { approvedAgent, nameOf, newPerson, signedInAsAdmin, signedUp } from "./people.ts";
import { mailIn, type Server } from "./server.ts";
import { expect, test } from "./story.ts";

/** Returns the link of the invitation that was mailed to an address. */
const invitationFor = (server: Server, email: string) =>
  server.find((line) => {
    const mail = mailIn(line);
    return mail?.to === email && mail.link.includes("/invitation?") ? mail.link : null;
  });

async function invite(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: "Invite a student" }).click();
  const form = page.getByRole("dialog", { name: "Invite a student" });
  await form.getByLabel("First name").fill("Efua");
  await form.getByLabel("Last name (optional)").fill(email.slice(0, 40));
  await form.getByLabel("Email").fill(email);
  await form.getByRole("button", { name: "Send invitation" }).click();
  await expect(form).toBeHidden();
}

test("a new and an existing account accept an invitation, and look alike to the inviter", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(page, office, server);
  const fresh = newPerson("student");
  const home = await anotherBrowser();
  const member = await signedUp(home, server.url, "student");
  await page.goto("/invitations");
  for (const { email } of [fresh, member]) await invite(page, email);
  const item = (email: string) => page.getByRole("listitem").filter({ hasText: email });
  for (const { email } of [fresh, member]) await expect(item(email)).toContainText("Invited");

  const elsewhere = await anotherBrowser();
  await elsewhere.goto(await invitationFor(server, fresh.email));
  await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText(`${nameOf(kofi)} invites you`);
  await elsewhere.getByLabel("Password", { exact: true }).fill(fresh.password);
  await elsewhere.getByLabel("Confirm password", { exact: true }).fill(fresh.password);
  await elsewhere.getByRole("button", { name: "Accept and create my account" }).click();
  await expect(elsewhere).toHaveURL("/student-dashboard");
  await expect(elsewhere.getByRole("list", { name: "Your agent" })).toContainText(nameOf(kofi));

  await home.goto(await invitationFor(server, member.email));
  await expect(home.getByRole("heading", { level: 1 })).toHaveText(`${nameOf(kofi)} asks to guide you`);
  await home.getByRole("button", { name: "Yes, be my agent" }).click();
  await home.getByRole("link", { name: "Open your dashboard" }).click();
  await expect(home.getByRole("list", { name: "Your agent" })).toContainText(nameOf(kofi));

  for (const { email } of [fresh, member]) {
    await expect(item(email)).toContainText("Accepted");
    await expect(item(email).getByRole("button")).toHaveCount(0);
  }
});

test("an admin invites an agent, who accepts and is approved immediately", async ({
  page,
  server,
  anotherBrowser,
}) => {
  await signedInAsAdmin(page, server.url);
  const kwame = newPerson("agent");
  await page.goto("/invitations");
  await page.getByRole("button", { name: "Invite an agent" }).click();
  const form = page.getByRole("dialog", { name: "Invite an agent" });
  await form.getByLabel("First name").fill(kwame.firstName);
  await form.getByLabel("Last name (optional)").fill(kwame.lastName);
  await form.getByLabel("Email").fill(kwame.email);
  await form.getByLabel("Agency name").fill("Gold Coast Studies");
  await form.getByLabel("Country").fill("Ghana");
  await form.getByRole("button", { name: "Send invitation" }).click();
  await expect(form).toBeHidden();
  const item = page.getByRole("listitem").filter({ hasText: kwame.email });
  await expect(item).toContainText("As an agent of Gold Coast Studies, Ghana");

  const elsewhere = await anotherBrowser();
  await elsewhere.goto(await invitationFor(server, kwame.email));
  await expect(elsewhere.getByText(/as an agent of Gold Coast Studies/)).toBeVisible();
  await elsewhere.getByLabel("Password", { exact: true }).fill(kwame.password);
  await elsewhere.getByLabel("Confirm password", { exact: true }).fill(kwame.password);
  await elsewhere.getByRole("button", { name: "Accept and create my account" }).click();
  await expect(elsewhere).toHaveURL("/agent-dashboard");
  await elsewhere.goto("/manage-students");
  await expect(elsewhere.getByRole("heading", { level: 1, name: "Manage Students" })).toBeVisible();
  await expect(item).toContainText("Accepted");
});
