import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { prepareAdmins } from "#server/features/sign-in/commands/prepare-admins.ts";
import { openPushService, type PushService } from "#tests/fakes/push-service.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, type Person, person } from "#tests/support/factories.ts";
import { type RecordedAnswer, recordAnswers } from "#tests/support/recorded-answers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import {
  type AccountEvent,
  endNothing,
  events,
  newPassword,
  passwords,
  storeUser,
} from "./credential-events.ts";
import { type Credential, createHolder, type Holder, tryAll } from "./credentials.ts";
import { contractProcedures } from "./input-fields.ts";

/** The addresses of ADMIN_EMAILS, one for each holder. */
const futureAdmins = Array.from({ length: 80 }, () => freshEmail("admin"));
const addresses = futureAdmins.values();
const serverWith = (adminEmails: readonly string[], on?: Wayfare["address"]) =>
  wayfare({
    variables: { ADMIN_EMAILS: adminEmails.join(","), WEBHOOKS_ALLOW_PRIVATE: "on" },
    ...(on && { on }),
  });

let w: Wayfare;
let service: PushService;
let boss: Person;
const answered: RecordedAnswer[] = [];
beforeAll(async () => {
  w = await serverWith(futureAdmins);
  service = await openPushService();
  boss = await person(w, "admin", "active");
  recordAnswers(w.app, answered);
});
afterAll(async () => {
  await w.stop();
  await service.close();
});
// Resets the limits, since all calls come from one address.
beforeEach(() => w.services.database.pool.query("delete from rate_limit"));

const newHolder = (age: "none" | "young" | "older") =>
  createHolder(w, service, age, addresses.next().value ?? "");

/** Makes a holder, who has set up everything as an agent, an admin. */
async function becomeAdmin(holder: Holder): Promise<void> {
  await storeUser(w, holder, { role: "admin", status: "active" });
  w.services.sessions.evict({ userId: holder.id, ended: false });
}
/** Admins can't change their address. */
const notForAdmins: Credential = "pending change of address";

/** Restarts the server with or without a holder in ADMIN_EMAILS, and connects the holder's browsers to it. */
async function restart(holder: Holder, isListed: boolean): Promise<void> {
  const adminEmails = futureAdmins.filter((email) => isListed || email !== holder.email);
  const node = await serverWith([boss.email, ...adminEmails], w.address);
  onTestFinished(() => node.stop());
  await prepareAdmins(node.services);
  holder.here = holder.here.on(node.app);
  holder.there = holder.there.on(node.app);
}

/** Returns the table of docs/security.md, "What ends what", by column and row. */
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

/** Returns the outcome for each credential: it stays, ends, or waits until the event is undone. */
async function outcomes(event: AccountEvent, holder: Holder): Promise<Map<Credential, string>> {
  const world = { w, boss, restart };
  const password = event.setsPassword ? newPassword : goodPassword;
  answered.length = 0;
  await event.happen(holder, world);
  const path = `/rpc/${event.procedure?.replace(".", "/")}`;
  if (event.procedure) expect(answered.map((answer) => answer.path)).toContain(path);
  const after = await tryAll(w, holder, password);
  await event.undo?.(holder, world);
  const later = event.undo ? await tryAll(w, holder, password) : after;
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

test("every credential of an admin but a change of address works until something happens", async () => {
  for (const age of ["young", "older"] as const) {
    const holder = await newHolder(age);
    await becomeAdmin(holder);
    const tried = await tryAll(w, holder, goodPassword);
    expect([...tried].filter(([, works]) => !works)).toEqual([[notForAdmins, false]]);
  }
});

test("the table names every event", async () => {
  expect([...(await documented()).keys()]).toEqual(Object.keys(events));
});

test("every procedure that changes accounts or credentials is an event of the table or ends nothing", () => {
  const concerns = /^(account|signInMethods|apiKeys|webhooks|accounts|agents)\./;
  const procedures = Object.values(events).map(({ procedure = "" }) => procedure);
  const placed = new Set([...procedures.filter((path) => concerns.test(path)), ...endNothing]);
  const writing = contractProcedures().filter(({ path, reads }) => !reads && concerns.test(path));
  expect([...placed].toSorted()).toEqual(writing.map(({ path }) => path).toSorted());
});

test.each(Object.entries(events))("%s", async (name, event) => {
  const column = new Map((await documented()).get(name));
  const ages = event.isFirstFactor ? (["none"] as const) : (["young", "older"] as const);
  const untried = new Map(column);
  for (const age of ages) {
    const holder = await newHolder(age);
    if (event.isAdmins) await becomeAdmin(holder);
    const results = await outcomes(event, holder);
    if (event.isAdmins) results.delete(notForAdmins);
    const expected = [...results.keys()].map((row) => [row, column.get(row)] as const);
    expect(Object.fromEntries(results), age).toEqual(Object.fromEntries(expected));
    for (const row of results.keys()) untried.delete(row);
    expect(await makesAdmin(holder)).toBe(results.get("one-time admin link") !== "ends");
  }
  expect([...untried].filter(([, cell]) => cell !== "–")).toEqual([]);
});
