import { openWebhookReceiver, verified } from "#tests/fakes/webhook-receiver.ts";
import { signedInAsAdmin } from "./people.ts";
import { accountMenu } from "./steps.ts";
import { adminOfStory, expect, test } from "./story.ts";

test("an admin adds a webhook, edits and tests it, and turns it on again after it was stopped", async ({
  page,
  server,
}) => {
  const receiver = await openWebhookReceiver();
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin-dashboard");
  await page.getByRole("banner").getByRole("button", { name: adminOfStory().email, exact: true }).click();
  await accountMenu(page).getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add a webhook" });
  await form.getByLabel("URL of your server").fill(`${receiver.url}/mistyped`);
  await form.getByLabel("You've been outbid").uncheck();
  await form.getByRole("button", { name: "Add", exact: true }).click();
  const secretDialog = page.getByRole("dialog", { name: "Your signing secret" });
  const secret = await secretDialog.getByText(/^whsec_/).innerText();
  await secretDialog.getByRole("button", { name: "I've saved it" }).click();

  await page.getByRole("listitem", { name: "mistyped" }).getByRole("button", { name: "Edit" }).click();
  const edited = page.getByRole("dialog", { name: "Edit webhook" });
  await edited.getByLabel("URL of your server").fill(receiver.url);
  await edited.getByLabel("You won an auction").uncheck();
  await expect(edited.getByLabel("You've been outbid")).not.toBeChecked();
  await edited.getByRole("button", { name: "Save", exact: true }).click();

  const webhook = page.getByRole("listitem", { name: receiver.url, exact: true });
  await expect(webhook).toContainText("Active");
  await expect(webhook).toContainText("agent.applied");
  await expect(webhook).not.toContainText("auction.outbid");
  await expect(webhook).not.toContainText("auction.won");
  await webhook.getByRole("button", { name: "Send a test" }).click();
  const deliveries = webhook.getByRole("region", { name: "Deliveries" }).getByRole("row");
  await expect(deliveries.nth(1)).toContainText("Delivered");
  const [message] = receiver.received;
  if (!message) throw new Error("nothing came");
  expect(verified(secret, message)).toMatchObject({ type: "webhook.test" });

  receiver.answer(410);
  await webhook.getByRole("button", { name: "Send again: Test" }).click();
  await expect(webhook).toContainText("Your server answered that it's gone (410).");
  await expect(deliveries.nth(1)).toContainText("410");
  await expect(webhook.getByRole("button", { name: "Send a test" })).toHaveCount(0);
  await webhook.getByRole("button", { name: "Turn on" }).click();
  await expect(webhook).toContainText("Active");

  await webhook.getByRole("button", { name: "Replace secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
  await expect(secretDialog.getByText(/^whsec_/)).not.toHaveText(secret);
  await secretDialog.getByRole("button", { name: "I've saved it" }).click();
  await expect(webhook).toContainText("Your former secret still works until");
  await webhook.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
  await receiver.close();
});
