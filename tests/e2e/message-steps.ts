import type { Locator, Page } from "@playwright/test";
import { call } from "./call.ts";
import { approvedAgent, idAt, type Person, searchableStudent, signedInAsAdmin } from "./people.ts";
import type { Server } from "./server.ts";
import { expect } from "./story.ts";

type Guidance = { ada: Person; kofi: Person; agent: Page };

/** Signs in a student at this page, and their agent in another browser. */
export async function guided(
  page: Page,
  server: Server,
  anotherBrowser: () => Promise<Page>,
): Promise<Guidance> {
  const ada = await searchableStudent(page, server.url);
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

export const box = (page: Page, to: string): Locator => page.getByLabel(`Message to ${to}`);
export const messages = (page: Page): Locator => page.getByRole("region", { name: "Messages", exact: true });
export const inBanner = (page: Page, name: string): Locator =>
  page.getByRole("banner").getByRole("link", { name, exact: true });
export const send = (page: Page) => page.getByRole("main").getByRole("button", { name: "Send" }).click();

/** Opens the general conversation of a student who has none yet, and writes into it. */
export async function begin(page: Page, to: string, text: string): Promise<void> {
  await page.goto("/messages");
  await page.getByRole("link", { name: "General questions" }).click();
  await box(page, to).fill(text);
  await send(page);
  await expect(page).toHaveURL(/\/messages\/[0-9a-f-]{36}$/);
}
