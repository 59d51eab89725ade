import { randomInt } from "node:crypto";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { messageOf } from "#tests/support/server-process.ts";
import { call } from "./call.ts";
import { mailIn, type Server, startServer } from "./server.ts";

export { expect };

/** Two admins: one has a password; the other still has the printed link. */
export const admins = {
  ready: { email: "admin@wayfare.example", password: "a long admin password" },
  fresh: { email: "office@wayfare.example", password: "another long password" },
};

/** Admins with a password, one per story: an account may log in only 30 times in ten minutes. */
const readyAdmins = [
  admins.ready,
  ...["ama", "ben", "cleo"].map((name) => ({
    email: `${name}@wayfare.example`,
    password: admins.ready.password,
  })),
];

/** Returns the admin of the running story, the same one on each call. */
export function adminOfStory(): { email: string; password: string } {
  const number = Number.parseInt(base.info().testId.slice(-4), 16);
  return readyAdmins[number % readyAdmins.length] ?? admins.ready;
}

/** Returns the header in which a proxy names a client's address, here a random one. */
const randomAddress = () => ({ "x-forwarded-for": `10.${[1, 2, 3].map(() => randomInt(1, 255)).join(".")}` });

type Helpers = {
  /** Opens a page for another person, in a separate browser. */
  anotherBrowser: () => Promise<Page>;
  /** Waits for the link mailed to an address under this subject. */
  mailedLink: (to: string, subject: RegExp) => Promise<string>;
  /** Finds the printed link that sets an admin's password. */
  adminLink: (email: string) => Promise<string>;
  /** The complaints of the browsers; any that remain at the end fail the story. */
  complaints: string[];
  /** Whether refused requests are part of the story, because Chromium complains about each. */
  expectsRefusals: boolean;
};

function watch(context: BrowserContext, complaints: string[], expectsRefusals: boolean) {
  context.on("console", (message) => {
    const text = message.text();
    const isRefusal = text.startsWith("Failed to load resource: the server responded with a status");
    // Only a story that cuts the connection itself can cause this.
    const isCut = text.includes("net::ERR_INTERNET_DISCONNECTED");
    if (message.type() === "error" && !isCut && !(isRefusal && expectsRefusals))
      complaints.push(`${text} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
}

/** Finds the link that sets an admin's password among the printed lines. */
export function printedLink(email: string) {
  return (line: string): string | null => {
    const message = messageOf(line);
    return message.startsWith(`Set the admin password of ${email} `)
      ? (message.split(": ").at(-1) ?? null)
      : null;
  };
}

export const test = base.extend<Helpers, { server: Server }>({
  server: [
    async ({ playwright }, use) => {
      const server = await startServer({
        ADMIN_EMAILS: [...readyAdmins, admins.fresh].map(({ email }) => email).join(),
        // The stories' webhook receiver is on this machine.
        WEBHOOKS_ALLOW_PRIVATE: "on",
        // Each browser has its own network, so that limits per address count one story only.
        TRUST_PROXY: "1",
      });
      const request = await playwright.request.newContext();
      for (const { email, password } of readyAdmins) {
        const token = new URL(await server.find(printedLink(email))).searchParams.get("token");
        await call(request, server.url, "account/setPassword", {
          token,
          password,
          confirmPassword: password,
        });
      }
      await request.dispose();
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 600_000 },
  ],

  baseURL: async ({ server }, use) => await use(server.url),
  expectsRefusals: [false, { option: true }],

  complaints: [
    async ({ context, expectsRefusals }, use) => {
      const complaints: string[] = [];
      await context.setExtraHTTPHeaders(randomAddress());
      watch(context, complaints, expectsRefusals);
      await use(complaints);
      expect(complaints, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],

  anotherBrowser: async ({ browser, server, complaints, expectsRefusals }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL: server.url, extraHTTPHeaders: randomAddress() });
      opened.push(context);
      watch(context, complaints, expectsRefusals);
      return await context.newPage();
    });
    await Promise.all(opened.map((context) => context.close()));
  },

  mailedLink: async ({ server }, use) =>
    await use((to, subject) =>
      server.find((line) => {
        const mail = mailIn(line);
        return mail?.to === to && subject.test(mail.subject) ? mail.link : null;
      }),
    ),

  adminLink: async ({ server }, use) => await use((email) => server.find(printedLink(email))),
});
