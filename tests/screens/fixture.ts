import type { Browser, BrowserContext } from "@playwright/test";
import { tagger } from "#server/features/auctions/catalogue/read-product.ts";
import { argonPasswords } from "#server/features/sign-in/passwords/passwords.ts";
import { createKeys, readSecrets } from "#server/platform/keys.ts";
import { createLog } from "#server/platform/log.ts";
import { loadOrCreateSecret } from "#server/platform/session-secret.ts";
import { createStorage } from "#server/platform/storage.ts";
import { fill } from "#tools/demo/fill.ts";
import { inDatabase } from "../e2e/auctioneer.ts";
import { call } from "../e2e/call.ts";
import { type Server, startServer } from "../e2e/server.ts";
import { admins, printedLink } from "../e2e/story.ts";
import { type Actor, actors } from "./screen.ts";
import { prepareTestData, type TestData } from "./test-data.ts";

/** A server with its own data, and a browser for each viewer, signed in once. */
export type Fixture = { server: Server; browsers: Browsers; testData: TestData; close(): Promise<void> };
export type Browsers = Record<Actor, BrowserContext>;

// Disables animations, because colours that are still fading can't be checked.
const calm = { reducedMotion: "reduce", locale: "en-GB", timezoneId: "Africa/Johannesburg" } as const;

async function openBrowsers(browser: Browser, baseURL: string, signedIn?: Browsers): Promise<Browsers> {
  const opened = await Promise.all(
    actors.map(async (actor) => {
      const touched = signedIn && { hasTouch: true, storageState: await signedIn[actor].storageState() };
      return [actor, await browser.newContext({ ...calm, baseURL, ...touched })] as const;
    }),
  );
  return Object.fromEntries(opened) as Browsers;
}

/** Opens browsers with touch screens for the fixture's people. */
export const touching = async (browser: Browser, fixture: Fixture): Promise<Fixture> => ({
  ...fixture,
  browsers: await openBrowsers(browser, fixture.server.url, fixture.browsers),
});

/** Sets one admin's password and logs in; the other's link stays unused, for the screen that it leads to. */
async function signInAdmin({ request }: BrowserContext, server: Server): Promise<void> {
  const { email, password } = admins.ready;
  const token = new URL(await server.find(printedLink(email))).searchParams.get("token");
  await call(request, server.url, "account/setPassword", { token, password, confirmPassword: password });
  await call(request, server.url, "account/signIn", { email, password });
}

/** Adds the demo's data to the fixture's people. The demo's admin never logs in. */
async function addDemo({ dataDir }: Server): Promise<void> {
  const log = createLog("warn");
  const storage = await createStorage({ dataDir, storageUrl: null });
  const tagOf = tagger(createKeys(readSecrets(await loadOrCreateSecret(dataDir))));
  const options = { adminEmails: ["demo@wayfare.example"], tagOf };
  await inDatabase({ dataDir }, async ({ services: { database } }) => {
    await fill({ database, storage, log, passwords: argonPasswords }, options);
  });
}

/** Opens a fixture. `withDemo` makes every list as long as a working consultancy's. */
export async function openFixture(browser: Browser, { withDemo = false } = {}): Promise<Fixture> {
  const server = await startServer({ ADMIN_EMAILS: `${admins.ready.email},${admins.fresh.email}` });
  if (withDemo) await addDemo(server);
  const browsers = await openBrowsers(browser, server.url);
  await signInAdmin(browsers.admin, server);
  const testData = await prepareTestData(server, browsers);
  const close = async () => {
    await Promise.all(Object.values(browsers).map((context) => context.close()));
    await server.stop();
  };
  return { server, browsers, testData, close };
}
