import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { adminCommand } from "#server/features/admin/command-line.ts";
import { prepareAdmins } from "#server/features/sign-in/commands/prepare-admins.ts";
import { openPushService, type PushService } from "#tests/fakes/push-service.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import {
  type Credential,
  createHolder,
  type Holder,
  signInWithPasskey,
  tokenFor,
  tryAll,
} from "./credentials.ts";

const newPassword = "a quite different phrase";
/** The addresses of ADMIN_EMAILS, one for each holder. */
const futureAdmins = Array.from({ length: 60 }, () => freshEmail("admin"));
const addresses = futureAdmins.values();
const serverWith = (adminEmails: readonly string[], on?: Wayfare["address"]) =>
  wayfare({
    variables: { ADMIN_EMAILS: adminEmails.join(","), WEBHOOKS_ALLOW_PRIVATE: "on" },
    ...(on && { on }),
  });

let w: Wayfare;
let service: PushService;
let boss: Person;
beforeAll(async () => {
  w = await serverWith(futureAdmins);
  service = await openPushService();
  boss = await person(w, "admin", "active");
});
afterAll(async () => {
  await w.stop();
  await service.close();
});
// All calls come from one address.
beforeEach(() => w.services.database.pool.query("delete from rate_limit"));

/** Expects the call to have succeeded. */
async function done(answer: Promise<{ status: number; message: string | null }>): Promise<void> {
  expect(await answer).toMatchObject({ status: 200 });
}

const passwords = { password: newPassword, confirmPassword: newPassword };
const change = ({ here }: Holder, endsAccess: boolean) =>
  done(here.call("account.changePassword", { currentPassword: goodPassword, ...passwords, endsAccess }));
const set = (token: string) => done(new Caller(w.app).call("account.setPassword", { token, ...passwords }));
const newHolder = (age: "none" | "young" | "older") =>
  createHolder(w, service, age, addresses.next().value ?? "");
const store = ({ id }: Holder, values: Partial<typeof user.$inferInsert>) =>
  w.services.database.db.update(user).set(values).where(eq(user.id, id));

/** Makes a holder an admin who has set up everything as an agent. */
async function becomeAdmin(holder: Holder): Promise<void> {
  await store(holder, { role: "admin", status: "active" });
  w.services.sessions.evict({ userId: holder.id, ended: false });
}
/** Admins don't move to another address. */
const neverOfAdmins: Credential = "pending change of address";

/** Starts the server anew with other ADMIN_EMAILS, and leads the holder's browsers to it. */
async function restart(holder: Holder, adminEmails: readonly string[]): Promise<void> {
  const node = await serverWith([boss.email, ...adminEmails], w.address);
  onTestFinished(() => node.stop());
  await prepareAdmins(node.services);
  holder.here = holder.here.on(node.app);
  holder.there = holder.there.on(node.app);
}

/**
 * An event in an account's life. `happen` resolves to the password that it has afterwards; `undo` reverts the event.
 */
type Event = {
  happen(holder: Holder): Promise<string>;
  undo?(holder: Holder): Promise<void>;
  /** Only for an account without a second factor. */
  isFirstFactor?: true;
  /** Only for an admin. */
  isAdmins?: true;
};

/** The columns of the table, by their headings. */
const events: Record<string, Event> = {
  "password changed, “end these too”": {
    async happen(holder) {
      await change(holder, true);
      return newPassword;
    },
  },
  "password changed": {
    async happen(holder) {
      await change(holder, false);
      return newPassword;
    },
  },
  "reset by link": {
    async happen({ id }) {
      await set(await tokenFor(w, { purpose: "reset", userId: id }));
      return newPassword;
    },
  },
  "reset by link, never verified": {
    async happen(holder) {
      await store(holder, { emailVerified: false });
      await set(await tokenFor(w, { purpose: "reset", userId: holder.id }));
      return newPassword;
    },
  },
  "admin's link": {
    async happen({ email }) {
      await set(await tokenFor(w, { purpose: "admin", email }));
      return newPassword;
    },
  },
  "first factor set up": {
    isFirstFactor: true,
    async happen({ here }) {
      await authenticatorOf({ caller: here });
      return goodPassword;
    },
  },
  "log out other devices": {
    async happen({ here }) {
      await done(here.call("account.signOutOthers"));
      return goodPassword;
    },
  },
  revoked: {
    async happen({ id }) {
      await done(boss.caller.call("agents.revoke", { id }));
      return goodPassword;
    },
    undo: ({ id }) => done(boss.caller.call("agents.approve", { id })),
  },
  denied: {
    async happen(holder) {
      await store(holder, { status: "pending", approvedAt: null });
      await done(boss.caller.call("agents.deny", { id: holder.id }));
      return goodPassword;
    },
  },
  disabled: {
    async happen({ id }) {
      await done(boss.caller.call("students.setDisabled", { userId: id, disabled: true }));
      return goodPassword;
    },
    undo: ({ id }) => done(boss.caller.call("students.setDisabled", { userId: id, disabled: false })),
  },
  "deletion asked for": {
    async happen({ here }) {
      await done(here.call("account.requestDeletion"));
      return goodPassword;
    },
    undo: ({ older }) => done(signInWithPasskey(w, older)),
  },
  "`admin log-out`": {
    async happen({ email }) {
      await adminCommand(w.services, ["log-out", email], () => {});
      return goodPassword;
    },
  },
  "second factor reset by an admin": {
    async happen({ id: userId }) {
      await done(boss.caller.call("accounts.resetSecondFactor", { userId, reason: "A lost phone" }));
      return goodPassword;
    },
  },
  "address changed": {
    async happen({ id, here, email: from }) {
      const email = freshEmail("moved");
      await done(here.call("profile.changeEmail", { email, password: goodPassword }));
      await w.mail(email, /confirm your new email/);
      const token = await tokenFor(w, { purpose: "email", userId: id, email, from });
      await done(here.call("account.verifyEmail", { token }));
      return goodPassword;
    },
  },
  "address off `ADMIN_EMAILS`": {
    isAdmins: true,
    async happen(holder) {
      await restart(
        holder,
        futureAdmins.filter((email) => email !== holder.email),
      );
      return goodPassword;
    },
    undo: (holder) => restart(holder, futureAdmins),
  },
  "`admin remove-second-factor`": {
    async happen({ email }) {
      await adminCommand(w.services, ["remove-second-factor", email], () => {});
      return goodPassword;
    },
  },
  "`admin log-out --keys`": {
    async happen({ email }) {
      await adminCommand(w.services, ["log-out", email, "--keys"], () => {});
      return goodPassword;
    },
  },
  "`admin change-email`": {
    async happen({ email }) {
      await adminCommand(w.services, ["change-email", email, freshEmail("moved")], () => {});
      return goodPassword;
    },
  },
  "one device logged out": {
    async happen({ here }) {
      const { devices } = await here.api.account.devices();
      for (const { id, current } of devices)
        if (!current) await done(here.call("account.signOutDevice", { id }));
      return goodPassword;
    },
  },
  "app turned off": {
    async happen({ here }) {
      await done(here.call("signInMethods.removeAuthenticator"));
      return goodPassword;
    },
  },
};

/** The table of docs/security.md, "What ends what", by column and row. */
async function documented(): Promise<Map<string, Map<string, string>>> {
  const text = await readFile(new URL("../../docs/security.md", import.meta.url), "utf8");
  const section = /### What ends what$([^]*?)^#/m.exec(text)?.[1] ?? "";
  const [heads = [], , ...rows] = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const columns = heads.slice(1).map((head, at) => {
    const cells = rows.map(([row = "", ...rest]) => [row, rest[at] ?? ""] as const);
    return [head, new Map(cells)] as const;
  });
  return new Map(columns);
}

/** The outcome for each credential: it stays, ends, or waits for the event to be taken back. */
async function outcomes({ happen, undo }: Event, holder: Holder): Promise<Map<Credential, string>> {
  const password = await happen(holder);
  const after = await tryAll(w, holder, password);
  await undo?.(holder);
  const later = undo ? await tryAll(w, holder, password) : after;
  return new Map(
    [...after].map(([name, works]) => [name, works ? "stays" : later.get(name) ? "waits" : "ends"]),
  );
}

/** Whether the admin link that a holder had from the beginning makes its address an admin's. */
async function makesAdmin({ here, email, adminToken }: Holder): Promise<boolean> {
  const { status } = await here.call("account.setPassword", { token: adminToken, ...passwords });
  const { body } = await new Caller(w.app).call("account.signIn", { email, password: newPassword });
  return status === 200 && textIn(body, "role") === "admin";
}

test("every credential works until something happens", async () => {
  for (const age of ["none", "young", "older"] as const) {
    const tried = await tryAll(w, await newHolder(age), goodPassword);
    expect([...tried].filter(([, works]) => !works)).toEqual([]);
  }
});

test("every credential of an admin does too, but a change of address", async () => {
  for (const age of ["young", "older"] as const) {
    const holder = await newHolder(age);
    await becomeAdmin(holder);
    const tried = await tryAll(w, holder, goodPassword);
    expect([...tried].filter(([, works]) => !works)).toEqual([[neverOfAdmins, false]]);
  }
});

test("the table names every event", async () => {
  expect([...(await documented()).keys()]).toEqual(Object.keys(events));
});

test.each(Object.entries(events))("%s", async (name, event) => {
  const column = (await documented()).get(name);
  const ages = event.isFirstFactor ? (["none"] as const) : (["young", "older"] as const);
  const tried = new Map([...(column?.keys() ?? [])].map((row) => [row, "–"]));
  for (const age of ages) {
    const holder = await newHolder(age);
    if (event.isAdmins) await becomeAdmin(holder);
    for (const [credential, outcome] of await outcomes(event, holder)) tried.set(credential, outcome);
    expect(await makesAdmin(holder)).toBe(tried.get("one-time admin link") !== "ends");
  }
  if (event.isAdmins) tried.set(neverOfAdmins, "–");
  expect(Object.fromEntries(tried)).toEqual(Object.fromEntries(column ?? []));
});
