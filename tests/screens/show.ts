import type { Page } from "@playwright/test";
import type { Fixture } from "./fixture.ts";
import type { Screen } from "./screen.ts";

const refusal = "Failed to load resource: the server responded with a status";
const unreachable = "net::ERR_INTERNET_DISCONNECTED";

/** Records the browser's complaints about this page, except for those that belong to the state. */
function watch(page: Page, { complains, state }: Screen): string[] {
  const complaints: string[] = [];
  const isExpected = (text: string) =>
    (complains !== undefined && text.startsWith(refusal)) ||
    (state.startsWith("offline") && text.includes(unreachable));
  const note = (text: string) => {
    if (complains !== "crash" && !isExpected(text)) complaints.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error") note(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => note(String(error)));
  return complaints;
}

/** Opens a screen in its state, runs `look` on it and closes it; resolves to the browser's complaints. */
export async function show(
  { browsers, testData }: Fixture,
  screen: Screen,
  look: (page: Page) => Promise<void>,
): Promise<string[]> {
  const context = browsers[screen.as];
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = watch(page, screen);
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await screen.before?.(page);
    await page.goto(screen.at?.(testData) ?? screen.route);
    await screen.open?.(page, testData);
    await screen.shows(page).first().waitFor();
    await look(page);
    return complaints;
  } finally {
    // A held call would reach the server once the page is closed; leaving the page ends it.
    await page.goto("about:blank");
    await page.close();
    await context.setOffline(false);
  }
}
