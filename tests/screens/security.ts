import type { Page } from "@playwright/test";
import {
  answered,
  codeAsked,
  dialog,
  failing,
  offeredKey,
  press,
  type Screen,
  statesOf,
  waiting,
} from "./screen.ts";

type Passkey = { id: string; name: string; since: Date; lastUsed: Date | null };

/** Answers a person's sign-in methods; `recoveryCodes` is null without an app. */
const methods = (recoveryCodes: number | null, passkeys: readonly Passkey[], needsMailboxCode = false) =>
  answered("/rpc/signInMethods/mine", {
    isRequired: false,
    needsConfirmation: false,
    needsMailboxCode,
    authenticator:
      recoveryCodes === null ? null : { since: new Date("2026-10-03T09:00:00.000Z"), recoveryCodes },
    passkeys,
  });
const phone = {
  id: "1",
  name: "Chrome on Android",
  since: new Date("2026-10-04T09:00:00.000Z"),
  lastUsed: null,
};
const laptop = {
  id: "2",
  name: "The very old laptop that stands at my grandmother's in Ibadan",
  since: new Date("2026-11-04T09:00:00.000Z"),
  lastUsed: new Date("2026-11-20T17:45:00.000Z"),
};
const withApp = methods(2, [phone, laptop]);
const unbroken = "Sicherheitsschlüsselverwaltungsanwendungsbezeichnungsbeispiel";
const tenPasskeys = methods(
  0,
  Array.from({ length: 10 }, (_, at) =>
    at % 2 === 0
      ? { ...laptop, id: `${at}`, name: `${laptop.name}, no. ${at}` }
      : { ...phone, id: `${at}`, name: at === 5 ? unbroken : phone.name },
  ),
);

/** Answers with a viewer who differs from the stored one. */
const viewerWith = (page: Page, was: string, is: string) =>
  page.route("**/rpc/account/me", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(was, is) });
  });

/** Makes the server require two-step login of the viewer, who has not set it up. */
const lacking = (page: Page) => viewerWith(page, '"lacksSecondFactor":false', '"lacksSecondFactor":true');
const unverified = (page: Page) => viewerWith(page, '"emailVerified":true', '"emailVerified":false');
/** Requires two-step login with nothing set up; with `needsMailboxCode`, the emailed code wasn't entered either. */
const requiredAnd = (needsMailboxCode: boolean) => async (page: Page) => {
  await lacking(page);
  await methods(null, [], needsMailboxCode)(page);
};

const someBrowsers = [
  "Chrome on Android",
  "Safari on iPhone",
  null,
  "Samsung Internet on Android",
  "Microsoft Edge on Windows",
  "DuckDuckGo Privacy Browser on a Very Long Named Operating System",
];
const twelveDevices = answered("/rpc/account/devices", {
  devices: Array.from({ length: 12 }, (_, at) => ({
    id: `${at}`,
    browser: someBrowsers[at % someBrowsers.length],
    address: at === 4 ? null : at % 3 === 1 ? "2001:0db8:85a3:08d3::/64" : `203.0.113.${at}`,
    since: new Date("2026-09-30T09:00:00.000Z"),
    lastUsed: new Date(`2026-11-${22 - at}T17:45:00.000Z`),
    current: at === 0,
  })),
});
const shownCodes = {
  recoveryCodes: Array.from({ length: 10 }, (_, at) => `k3f9x-7qz2m-0vh8t-${at}5jwc-r1n6d`),
};
const notRecent = {
  defined: true,
  code: "auth/requires-recent-login",
  status: 401,
  message: "This operation requires recent authentication. Please log in again.",
};
const wrongCode = {
  defined: true,
  code: "auth/invalid-verification-code",
  status: 422,
  message: "This code isn't valid. Please check it and try again.",
  data: { field: "code" },
};

/** The screens of sign-in methods and devices. */
export const securityScreens: readonly Screen[] = [
  ...statesOf("/security", "student", {
    full: { shows: (page) => page.getByRole("button", { name: "Set up app" }) },
    loading: waiting("/rpc/signInMethods/mine", "Loading login and security"),
    failing: failing("/rpc/signInMethods/mine"),
    "app on": { before: withApp, shows: (page) => page.getByText("2 left") },
    "rename passkey": {
      before: withApp,
      open: (page) => press(page, "Rename Chrome on Android"),
      ...dialog("Rename passkey"),
    },
    "app dialog": {
      before: answered("/rpc/signInMethods/startAuthenticator", offeredKey),
      open: (page) => press(page, "Set up app"),
      shows: (page) => page.getByRole("img", { name: "QR code for an authenticator app" }),
    },
    "recovery codes": {
      before: async (page) => {
        await withApp(page);
        await answered("/rpc/signInMethods/renewRecoveryCodes", shownCodes)(page);
      },
      open: async (page) => {
        await press(page, "New codes");
        await page.getByRole("dialog").getByRole("button", { name: "Make new codes" }).click();
      },
      ...dialog("Your recovery codes"),
    },
    "confirm it's you": {
      before: (page) =>
        page.route("**/rpc/signInMethods/startAuthenticator", (route) =>
          route.fulfill({ status: 401, json: { json: notRecent } }),
        ),
      open: (page) => press(page, "Set up app"),
      ...dialog("Confirm it's you"),
      complains: "refusals",
    },
    "ten passkeys": { before: tenPasskeys, shows: (page) => page.getByText(unbroken) },
    "remove passkey": {
      before: tenPasskeys,
      open: (page) => press(page, `Remove ${unbroken}`),
      ...dialog("Remove passkey"),
    },
    "turn off app": {
      before: withApp,
      open: (page) => press(page, "Turn off app"),
      ...dialog("Turn off the authenticator app"),
    },
    "confirm with code or passkey": {
      before: async (page) => {
        await withApp(page);
        await page.route("**/rpc/signInMethods/renewRecoveryCodes", (route) =>
          route.fulfill({ status: 401, json: { json: notRecent } }),
        );
        await page.route("**/rpc/account/confirmIdentity", (route) =>
          route.fulfill({ status: 401, json: { json: codeAsked } }),
        );
      },
      open: async (page) => {
        await press(page, "New codes");
        await page.getByRole("dialog").getByRole("button", { name: "Make new codes" }).click();
        const confirming = page.getByRole("dialog", { name: "Confirm it's you" });
        await confirming.getByLabel("Password", { exact: true }).fill("correct horse battery");
        await confirming.getByRole("button", { name: "Confirm" }).click();
      },
      shows: (page) => page.getByLabel("Authentication code"),
      complains: "refusals",
    },
    "password dialog": { open: (page) => press(page, "Change password"), ...dialog("Change password") },
    "password dialog, with what else logs in": {
      before: withApp,
      open: (page) => press(page, "Change password"),
      shows: (page) => page.getByLabel("End these too"),
    },
    "address not verified": {
      before: unverified,
      shows: (page) => page.getByRole("button", { name: "Send the link again" }),
    },
  }),
  ...statesOf("/security", "agent", {
    "required, the last factor": {
      before: answered("/rpc/signInMethods/mine", {
        isRequired: true,
        needsConfirmation: false,
        needsMailboxCode: false,
        authenticator: { since: new Date("2026-10-03T09:00:00.000Z"), recoveryCodes: 10 },
        passkeys: [],
      }),
      shows: (page) => page.getByText("Add a passkey before you turn the app off."),
    },
    "required, to be confirmed": {
      before: async (page) => {
        await lacking(page);
        await answered("/rpc/signInMethods/mine", {
          isRequired: true,
          needsConfirmation: true,
          needsMailboxCode: false,
          authenticator: null,
          passkeys: [phone],
        })(page);
      },
      shows: (page) => page.getByRole("button", { name: "Confirm" }),
    },
    "required, code not asked for": {
      before: requiredAnd(true),
      shows: (page) => page.getByRole("button", { name: "Email me a code" }),
    },
    "required, code on its way": {
      before: async (page) => {
        await requiredAnd(true)(page);
        await answered("/rpc/signInMethods/sendMailboxCode", { done: true })(page);
      },
      open: (page) => press(page, "Email me a code"),
      shows: (page) => page.getByLabel("Code from the email"),
    },
    "required, code refused": {
      before: async (page) => {
        await requiredAnd(true)(page);
        await answered("/rpc/signInMethods/sendMailboxCode", { done: true })(page);
        await page.route("**/rpc/signInMethods/proveMailbox", (route) =>
          route.fulfill({ status: 422, json: { json: wrongCode } }),
        );
      },
      open: async (page) => {
        await press(page, "Email me a code");
        await page.getByLabel("Code from the email").fill("1234 5678");
        await press(page, "Continue");
        await page.getByRole("dialog", { name: "Not confirmed" }).getByRole("button", { name: "OK" }).click();
      },
      shows: (page) => page.getByText("This code isn't valid."),
      complains: "refusals",
    },
    "required, code entered": {
      before: requiredAnd(false),
      shows: (page) => page.getByRole("button", { name: "Set up app" }),
    },
  }),
  ...statesOf("/devices", "student", {
    full: { shows: (page) => page.getByText("This device") },
    "twelve devices": { before: twelveDevices, shows: (page) => page.getByText("Unknown browser").first() },
    loading: waiting("/rpc/account/devices", "Loading devices"),
    failing: failing("/rpc/account/devices"),
  }),
];
