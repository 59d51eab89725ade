import { StandardRPCJsonSerializer } from "@orpc/client/standard";
import type { Locator, Page, Route } from "@playwright/test";
import type { TestData } from "./test-data.ts";

/** The viewers of screens. The newcomer is a student without any data; the seller owns the products that others bid on. */
export const actors = [
  "visitor",
  "student",
  "newcomer",
  "seller",
  "waitingAgent",
  "agent",
  "newAgent",
  "admin",
] as const;
export type Actor = (typeof actors)[number];

/** One state of a screen, for one kind of viewer: a row of the table of tests/screens.ts. */
export type Screen = {
  /** A path of web/routes.ts: `/product/:productId`, or `*`. */
  route: string;
  state: string;
  as: Actor;
  /** The address, where it is not the route itself. */
  at?: (testData: TestData) => string;
  /** Prepares the page before it is opened: holds calls, or lets them fail. */
  before?: (page: Page) => Promise<unknown>;
  /** Brings the opened page to this state. */
  open?: (page: Page, testData: TestData) => Promise<void>;
  /** There once the page is in this state. */
  shows: (page: Page) => Locator;
  /** Whether calls are refused in it, of each of which Chromium complains; `crash`: the page itself fails too. */
  complains?: "refusals" | "crash";
};

type State = Omit<Screen, "route" | "state" | "as">;

export const screenName = ({ route, state, as }: Screen): string => `${route} · ${state} · ${as}`;

/** Names the route and the viewer once for several states. */
export function statesOf(route: string, as: Actor, states: Record<string, State>): Screen[] {
  return Object.keys(states).flatMap((state) => {
    const rest = states[state];
    return rest ? [{ route, state, as, ...rest }] : [];
  });
}

/** A state that is there as soon as the page is: its headline. */
export const headed = (name: string | RegExp): Pick<Screen, "shows"> => ({
  shows: (page) => page.getByRole("heading", { name, level: 1 }),
});

const answerTo =
  (path: string, answer: (route: Route) => Promise<void> | void) =>
  (page: Page): Promise<unknown> =>
    page.route(`**${path}`, answer);

/** The call never answers. */
export const hold = (path: string) => answerTo(path, () => {});

/** The call never answers: the page waits for it, as a skeleton with this name. */
export const waiting = (path: string, name: string): Pick<Screen, "before" | "shows"> => ({
  before: hold(path),
  shows: (page) => page.getByLabel(name, { exact: true }).filter({ visible: true }),
});

const internal = {
  defined: true,
  code: "internal",
  status: 500,
  message: "Something went wrong on our side. Please try again.",
};

/** The server fails, as it does when it has a bug: an answer that is final, so that no page asks again. */
export const failAt = (path: string) =>
  answerTo(path, (route) => route.fulfill({ status: 500, json: { json: internal } }));

/** Fails a call on a screen that then offers to try again. */
export const failing = (path: string): Pick<Screen, "before" | "shows" | "complains"> => ({
  before: failAt(path),
  shows: (page) => page.getByRole("main").getByRole("button", { name: "Retry" }),
  complains: "refusals",
});

const serializer = new StandardRPCJsonSerializer();

/** The call answers this: for what the test data can't show beside everything else. */
export const answered = (path: string, output: object) => {
  const [json, meta] = serializer.serialize(output);
  return answerTo(path, (route) => route.fulfill({ json: { json, meta } }));
};

/** From now on the browser reaches nobody, and the page says so. */
export async function goOffline(page: Page): Promise<void> {
  const status = page.getByRole("status", { name: "Connection" });
  await status.waitFor({ state: "attached" });
  await page.context().setOffline(true);
  await status.filter({ hasText: "You're offline." }).waitFor();
}

/** Presses a button or a link of the screen. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  // Until the page is hydrated, buttons do nothing.
  await page.getByRole("status", { name: "Connection" }).waitFor({ state: "attached" });
  await page.getByRole("main").getByRole("button", { name, exact: true }).first().click();
}

/** In an open dialog of this name. */
export const dialog = (name: string | RegExp): Pick<Screen, "shows"> => ({
  shows: (page) => page.getByRole("dialog", { name, exact: true }),
});

/** The key for an authenticator app. */
export const offeredKey = {
  key: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Wayfare:ada@example.org?issuer=Wayfare&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
};

/** The server's answer to a right password where an authenticator app is set up. */
export const codeAsked = {
  defined: true,
  code: "account/second-factor",
  status: 401,
  message: "Please enter the code from your authenticator app.",
};
