import type { Locator, Page } from "@playwright/test";
import { pdf } from "#tests/support/files.ts";
import { call } from "./call.ts";
import { approvedAgent, idAt, nameOf, type Person, signedInAsAdmin, someStudent } from "./people.ts";
import type { Server } from "./server.ts";
import { isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";
import { aFile, choose, slot } from "./uploads.ts";

type Guided = { ada: Person; kofi: Person; agent: Page };

/** Signs in a student at this page, and their agent at a browser of their own. */
async function guided(page: Page, server: Server, anotherBrowser: () => Promise<Page>): Promise<Guided> {
  const ada = await someStudent(page, server.url);
  const [agent, office] = [await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  const kofi = await approvedAgent(agent, office, server);
  await call(office.request, server.url, "students/assign", {
    studentId: await idAt(page, server.url),
    agentId: await idAt(agent, server.url),
    expectedAgentId: null,
  });
  return { ada, kofi, agent };
}

const box = (page: Page, to: string): Locator => page.getByLabel(`Message to ${to}`);
const messages = (page: Page): Locator => page.getByRole("region", { name: "Messages", exact: true });
const inBanner = (page: Page, name: string): Locator =>
  page.getByRole("banner").getByRole("link", { name, exact: true });
const send = (page: Page) => page.getByRole("main").getByRole("button", { name: "Send" }).click();

/** Opens the general conversation of a student who has none yet, and writes into it. */
async function begin(page: Page, to: string, text: string): Promise<void> {
  await page.goto("/messages");
  await page.getByRole("link", { name: "General questions" }).click();
  await box(page, to).fill(text);
  await send(page);
  await expect(page).toHaveURL(/\/messages\/[0-9a-f-]{36}$/);
}

test("a question is answered in another browser, and the answer shows by itself", async ({
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
  // A message is read once it stood in view for a second, and the answer has ended the waiting.
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

test("messages that were marked as unread are all read when the conversation is opened again", async ({
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

test("a student takes a message back that nobody has read", async ({ page, server, anotherBrowser }) => {
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

test("an agent keeps a file of a message as a document", async ({ page, server, anotherBrowser }) => {
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
