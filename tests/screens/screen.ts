import { StandardRPCJsonSerializer } from "@orpc/client/standard";
import type { Locator, Page, Route } from "@playwright/test";
import type { TestData } from "./test-data.ts";

/**
 * The viewers of screens. The newcomer is a student without any data; the seller owns the products that others bid on.
 */
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

/** One state of a screen, for one kind of viewer: a row of the table of tests/screens/all-screens.ts. */
export type Screen = {
  /** A path of web/routes.ts: `/product/:productId`, or `*`. */
  route: string;
  state: string;
  as: Actor;
  /** The address, if it differs from the route. */
  at?: (testData: TestData) => string;
  /** Prepares the page before it is opened: holds calls, or makes them fail. */
  before?: (page: Page) => Promise<unknown>;
  /** Brings the opened page to this state. */
  open?: (page: Page, testData: TestData) => Promise<void>;
  /** Locates an element that is visible once the page is in this state. */
  shows: (page: Page) => Locator;
  /**
   * Whether calls are refused in this state: Chromium complains about each. With `crash`, the page itself fails too.
   */
  complains?: "refusals" | "crash";
};

type State = Omit<Screen, "route" | "state" | "as">;

export const screenName = ({ route, state, as }: Screen): string => `${route} · ${state} · ${as}`;

/** Sets the route and the viewer of several states. */
export function statesOf(route: string, as: Actor, states: Record<string, State>): Screen[] {
  return Object.keys(states).flatMap((state) => {
    const rest = states[state];
    return rest ? [{ route, state, as, ...rest }] : [];
  });
}

/** Returns a state that is reached once the page's headline is visible. */
export const headed = (name: string | RegExp): Pick<Screen, "shows"> => ({
  shows: (page) => page.getByRole("heading", { name, level: 1 }),
});

const answerTo =
  (path: string, answer: (route: Route) => Promise<void> | void) =>
  (page: Page): Promise<unknown> =>
    page.route(`**${path}`, answer);

/** Makes a call never answer. */
export const hold = (path: string) => answerTo(path, () => {});

/** Returns a state in which a call never answers: the page waits for it, with a skeleton of this name. */
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

/** Makes the server fail as a bug does: this answer is final, so that no page retries. */
export const failAt = (path: string) =>
  answerTo(path, (route) => route.fulfill({ status: 500, json: { json: internal } }));

/** Returns a state in which a call fails and the screen offers to retry. */
export const failing = (path: string): Pick<Screen, "before" | "shows" | "complains"> => ({
  before: failAt(path),
  shows: (page) => page.getByRole("main").getByRole("button", { name: "Retry" }),
  complains: "refusals",
});

const serializer = new StandardRPCJsonSerializer();

/** Answers a call with this. */
export const fulfill = (route: Route, output: object): Promise<void> => {
  const [json, meta] = serializer.serialize(output);
  return route.fulfill({ json: { json, meta } });
};

/** Fakes a call's answer, for states that can't be in the test data beside all others. */
export const answered = (path: string, output: object) => answerTo(path, (route) => fulfill(route, output));

/** Cuts the browser's connection, and waits until the page says so. */
export async function goOffline(page: Page): Promise<void> {
  const status = page.getByRole("status", { name: "Connection" });
  await status.waitFor({ state: "attached" });
  await page.context().setOffline(true);
  await status.filter({ hasText: "You're offline." }).waitFor();
}

/** Presses a button or a link of the screen. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  // Buttons do nothing until the page is hydrated.
  await page.getByRole("status", { name: "Connection" }).waitFor({ state: "attached" });
  await page.getByRole("main").getByRole("button", { name, exact: true }).first().click();
}

/** Returns a state that is reached once a dialog of this name is open. */
export const dialog = (name: string | RegExp): Pick<Screen, "shows"> => ({
  shows: (page) => page.getByRole("dialog", { name, exact: true }),
});

/** The key for an authenticator app. */
export const offeredKey = {
  key: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Wayfare:ada@example.org?issuer=Wayfare&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
};

/** The server's answer to a correct password when an authenticator app is set up. */
export const codeAsked = {
  defined: true,
  code: "account/second-factor",
  status: 401,
  message: "Please enter the code from your authenticator app.",
};
