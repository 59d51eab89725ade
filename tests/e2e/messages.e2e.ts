import { pdf } from "#tests/support/files.ts";
import { begin, box, guided, inBanner, messages, send } from "./message-steps.ts";
import { nameOf } from "./people.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";
import { aFile, choose, slot } from "./uploads.ts";

test("a question is answered in another browser, and the answer appears automatically", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const { ada, kofi, agent } = await guided(page, server, anotherBrowser);
  await agent.goto("/agent-dashboard");
  await expect(inBanner(agent, "Messages")).toBeVisible();
  await begin(page, nameOf(kofi), "Must my transcript be certified? See https://example.org/rules.");
  await expect(messages(page)).toContainText("Must my transcript be certified?");
  await expect(box(page, nameOf(kofi))).toHaveValue("");

  const waiting = agent.getByRole("list", { name: "Waiting for us" });
  await agent.goto("/today");
  await expect(waiting).toBeVisible();
  await expect(agent.getByText("Nothing presses today")).toHaveCount(0);
  await inBanner(agent, "Messages, 1 waiting").click();
  await expect(waiting.getByRole("link")).toContainText("1 new");
  await waiting.getByRole("link", { name: nameOf(ada) }).click();
  const link = messages(agent).getByRole("link");
  await expect(link).toHaveAttribute("href", "https://example.org/rules");
  await expect(link).toHaveAttribute("rel", "noopener nofollow");
  await box(agent, nameOf(ada)).fill("A scan is enough.");
  await box(agent, nameOf(ada)).press("Control+Enter");

  await expect(messages(page)).toContainText("A scan is enough.");
  await expect(page.getByText(/^Waiting for your answer since/)).toBeVisible();
  await page.getByRole("button", { name: "No answer needed" }).click();
  await expect(page.getByText(/^Waiting for/)).toHaveCount(0);
  // A message is read once it was in view for a second, and the answer has ended the waiting.
  await expect(inBanner(page, "Messages")).toBeVisible();
  await expect(inBanner(agent, "Messages")).toBeVisible();

  await messages(page)
    .getByRole("button", { name: /^Actions for the message of Kofi/ })
    .click();
  await messages(page).getByRole("button", { name: "Mark as unread from here" }).click();
  await expect(inBanner(page, "Messages, 1 unread")).toBeVisible();
  await inBanner(page, "Messages, 1 unread").click();
  await expect(page.getByRole("list", { name: "Conversations" })).toContainText("1 new");
});

test("an agent saves a file of a message as a document", async ({ page, server, anotherBrowser }) => {
  const { ada, kofi, agent } = await guided(page, server, anotherBrowser);
  await page.goto("/messages");
  await page.getByRole("link", { name: "General questions" }).click();
  await box(page, nameOf(kofi)).fill("Here it is.");
  await choose(page, "Add files", aFile("grades.pdf", pdf(300_000)));
  await expect(page.getByRole("list", { name: "Files to send" })).toContainText("grades.pdf");
  await send(page);
  await expect(messages(page)).toContainText("Here it is.");

  await agent.goto("/messages");
  await agent
    .getByRole("list", { name: "Waiting for us" })
    .getByRole("link", { name: nameOf(ada) })
    .click();
  await isHydrated(agent);
  const opened = agent.waitForEvent("popup");
  await messages(agent)
    .getByRole("button", { name: /^grades\.pdf/ })
    .click();
  await (await opened).close();
  await messages(agent).getByRole("button", { name: "Keep as document: grades.pdf" }).click();
  const dialog = agent.getByRole("dialog", { name: "Keep as document" });
  await dialog.getByLabel("Slot").selectOption("Transcript");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect(messages(agent)).toContainText("Kept as Transcript");

  await page.goto("/student-documents");
  await expect(slot(page, "Transcript")).toContainText("grades.pdf");
  await expect(slot(page, "Transcript")).toContainText("Waiting for review");
});
