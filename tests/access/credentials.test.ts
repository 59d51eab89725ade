import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { adminCommand } from "#server/features/admin/command-line.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { Caller } from "#tests/support/caller.ts";
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
const futureAdmins = [freshEmail("admin"), freshEmail("admin")];

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: futureAdmins.join(",") } });
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());
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
const store = ({ id }: Holder, values: Partial<typeof user.$inferInsert>) =>
  w.services.database.db.update(user).set(values).where(eq(user.id, id));

/**
 * An event in an account's life. `happen` resolves to the password that it has afterwards; `undo` reverts the event.
 */
type Event = {
  happen(holder: Holder): Promise<string>;
  undo?(holder: Holder): Promise<void>;
  /** Only for an account without a second factor. */
  isFirstFactor?: true;
  becomesAdmin?: true;
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
    becomesAdmin: true,
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

test("every credential works until something happens", async () => {
  for (const age of ["none", "young", "older"] as const) {
    const tried = await tryAll(w, await createHolder(w, age), goodPassword);
    expect([...tried].filter(([, works]) => !works)).toEqual([]);
  }
});

test("the table names every event", async () => {
  expect([...(await documented()).keys()]).toEqual(Object.keys(events));
});

test.each(Object.entries(events))("%s", async (name, event) => {
  const column = (await documented()).get(name);
  const ages = event.isFirstFactor ? (["none"] as const) : (["young", "older"] as const);
  const tried = new Map([...(column?.keys() ?? [])].map((row) => [row, "–"]));
  for (const [at, age] of ages.entries()) {
    const holder = await createHolder(w, age, event.becomesAdmin && futureAdmins[at]);
    for (const [credential, outcome] of await outcomes(event, holder)) tried.set(credential, outcome);
  }
  expect(Object.fromEntries(tried)).toEqual(Object.fromEntries(column ?? []));
});
