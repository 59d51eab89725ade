import { begin, box, guided, inBanner, messages } from "./message-steps.ts";
import { nameOf } from "./people.ts";
import { expect, test } from "./story.ts";

test("messages that were marked as unread are all marked as read when the conversation is opened again", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const { ada, kofi, agent } = await guided(page, server, anotherBrowser);
  await begin(page, nameOf(kofi), "Which papers do I need?");
  await agent.goto("/messages");
  await agent
    .getByRole("list", { name: "Waiting for us" })
    .getByRole("link", { name: nameOf(ada) })
    .click();
  for (const text of ["A transcript.", "A reference."]) {
    await box(agent, nameOf(ada)).fill(text);
    await box(agent, nameOf(ada)).press("Control+Enter");
    await expect(messages(page)).toContainText(text);
  }
  await expect(inBanner(page, "Messages")).toBeVisible();
  await messages(page)
    .getByRole("button", { name: /^Actions for the message of Kofi/ })
    .first()
    .click();
  await messages(page).getByRole("button", { name: "Mark as unread from here" }).click();
  await inBanner(page, "Messages, 1 unread").click();
  const conversations = page.getByRole("list", { name: "Conversations" });
  await expect(conversations).toContainText("2 new");
  await conversations.getByRole("link").first().click();
  await expect(messages(page)).toContainText("A reference.");
  await expect(inBanner(page, "Messages")).toBeVisible();
});

test("a student takes back a message that nobody has read", async ({ page, server, anotherBrowser }) => {
  const { ada, kofi, agent } = await guided(page, server, anotherBrowser);
  await begin(page, nameOf(kofi), "My passport number is A01234567.");
  await messages(page).getByRole("button", { name: "Take back" }).click();
  await page
    .getByRole("dialog", { name: "Take this message back?" })
    .getByRole("button", { name: "Take back" })
    .click();
  await expect(messages(page)).toContainText("You took this message back.");
  await expect(messages(page)).not.toContainText("A01234567");

  await agent.goto("/messages");
  await agent.getByRole("link", { name: nameOf(ada) }).click();
  await expect(messages(agent)).toContainText("This message was taken back.");
  await expect(agent.getByText("A01234567")).toHaveCount(0);
});
