import { type Browser, type BrowserContextOptions, chromium } from "@playwright/test";
import { call } from "#tests/e2e/call.ts";
import { findChromium } from "#tests/support/chromium.ts";
import { signUpForm } from "#tests/support/factories.ts";
import { type Figure, median } from "./measure.ts";
import { openAuction } from "./open-auction.ts";
import { openServerFixture } from "./server-fixture.ts";

/** Bytes a second, and the milliseconds that each request waits for its answer to begin. */
const line = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 400 };
const tries = 5;
/** Limits in seconds. The bid can be sent once the page's code is loaded, which takes this line three of them. */
const [formWithin, buttonWithin] = [4, 8];

type Visit = {
  browser: Browser;
  storageState: NonNullable<BrowserContextOptions["storageState"]>;
  url: string;
};

/**
 * Returns the seconds from requesting an auction, signed in and without a cache, until an amount can be typed, and
 * until it can be sent.
 */
async function visit({ browser, storageState, url }: Visit): Promise<{ form: number; button: number }> {
  const context = await browser.newContext({ storageState, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", line);
  const began = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.getByLabel("Your bid").waitFor();
  const form = (performance.now() - began) / 1000;
  await page.getByRole("button", { name: "Place bid", disabled: false }).waitFor();
  const button = (performance.now() - began) / 1000;
  await context.close();
  return { form, button };
}

/** Measures how long a member waits for the bid form of an auction with pictures, on a slow phone's connection. */
export async function slow3g(): Promise<Figure[]> {
  const fixture = await openServerFixture();
  const browser = await chromium.launch(await findChromium());
  try {
    const url = fixture.server.url + (await openAuction(fixture.server));
    const account = await browser.newContext();
    await call(account.request, fixture.server.url, "account/signUp", signUpForm());
    const storageState = await account.storageState();
    const visits: Awaited<ReturnType<typeof visit>>[] = [];
    for (let at = 0; at < tries; at++) visits.push(await visit({ browser, storageState, url }));
    return [
      figureOf(
        "bid form on slow 3G: typed in, s",
        formWithin,
        visits.map(({ form }) => form),
      ),
      figureOf(
        "bid form on slow 3G: sent, s",
        buttonWithin,
        visits.map(({ button }) => button),
      ),
    ];
  } finally {
    await browser.close();
    await fixture.stop();
  }
}

function figureOf(name: string, limit: number, seconds: readonly number[]): Figure {
  const value = median([...seconds]);
  const detail = `median of ${seconds.map((each) => each.toFixed(1)).join(", ")}`;
  return { name, value, limit: `at most ${limit}`, holds: value <= limit, detail };
}
