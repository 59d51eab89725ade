import { approvedAgent, nameOf, newPerson, signedInAsAdmin } from "./people.ts";
import { mailIn } from "./server.ts";
import { expect, test } from "./story.ts";

// The second invitation is refused.
test.use({ expectsRefusals: true });

test("an invited person declines with one press, and that agent can't invite them again", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [office, elsewhere] = [await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(page, office, server);
  const { email } = newPerson("student");
  await page.goto("/invitations");
  const form = page.getByRole("dialog", { name: "Invite a student" });
  const invite = async () => {
    await page.getByRole("button", { name: "Invite a student" }).click();
    await form.getByLabel("First name").fill("Efua");
    await form.getByLabel("Email").fill(email);
    await form.getByRole("button", { name: "Send invitation" }).click();
  };
  await invite();
  const item = page.getByRole("listitem").filter({ hasText: email });
  await expect(item).toContainText("Invited");

  const link = await server.find((line) => {
    const mail = mailIn(line);
    return mail?.to === email && mail.link.includes("/invitation?") ? mail.link : null;
  });
  await elsewhere.goto(link);
  await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText(`${nameOf(kofi)} invites you`);
  await elsewhere.getByRole("button", { name: "No, thank you" }).click();
  await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText("Invitation declined");
  await expect(item).toContainText("Declined");

  await invite();
  await expect(page.getByText(/This person has declined your invitation/).first()).toBeVisible();
});
