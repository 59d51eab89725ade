import { asc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Caller, textIn } from "#tests/support/caller.ts";
import { goodPassword, type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const refusalsOf = async ({ id }: Person) =>
  (
    await w.services.database.db.select().from(audit).where(eq(audit.actorId, id)).orderBy(asc(audit.id))
  ).filter(({ action }) => action === "access-refused");
const student = () => person(w, "student", "active");
const unknown = "00000000-0000-4000-8000-000000000000";

test("a refused access to another student's documents is recorded immediately, and repetitions by their number", async () => {
  const [thief, victim, other] = [await student(), await student(), await student()];
  const ask = (studentId: string) => thief.caller.call("documents.ofStudent", { studentId });
  expect((await ask(victim.id)).code).toBe("not-found");
  const first = {
    action: "access-refused",
    subjectId: victim.id,
    address: "203.0.113.7",
    detail: { procedure: "documents.ofStudent", count: "1", things: victim.id },
  };
  expect(await refusalsOf(thief)).toEqual([expect.objectContaining(first)]);
  for (let at = 0; at < 120; at++) await ask(at === 7 ? other.id : victim.id);
  expect(await refusalsOf(thief)).toHaveLength(1);
  await w.services.refusals.flush();
  const [, gathered, ...none] = await refusalsOf(thief);
  expect(none).toEqual([]);
  expect(gathered).toMatchObject({
    subjectId: null,
    detail: { count: "120", things: `${victim.id} ${other.id}` },
  });
  // Nothing is written without a new refusal.
  await w.services.refusals.flush();
  expect(await refusalsOf(thief)).toHaveLength(2);
  await ask(victim.id);
  expect(await refusalsOf(thief)).toHaveLength(3);
});

test("forbidden calls and an invalid file link leave a row each", async () => {
  const thief = await student();
  await thief.caller.call("agents.list", { tab: "pending" });
  await thief.caller.call("students.identity", { studentId: unknown });
  await thief.caller.call("shortlist.remove", { id: unknown });
  const path = `/files/documents/${unknown}?mode=view&expires=1&signature=x`;
  expect((await thief.caller.request(path, {})).status).toBe(404);
  const rows = (await refusalsOf(thief)).map(({ detail }) => detail);
  expect(rows).toEqual([
    { procedure: "agents.list", count: "1", things: "" },
    { procedure: "students.identity", count: "1", things: unknown },
    { procedure: "shortlist.remove", count: "1", things: unknown },
    { procedure: "GET /files/documents", count: "1", things: unknown },
  ]);
});

test("fields that the contract does not have are not recorded in the audit log", async () => {
  const [thief, innocent] = [await student(), await student()];
  const more = { userId: innocent.id, otherId: "words-of-my-own", search: "words-of-my-own" };
  expect((await thief.caller.call("agents.approve", { id: unknown, ...more })).code).toBe(
    "permission-denied",
  );
  expect((await thief.caller.call("accounts.list", more)).code).toBe("permission-denied");
  expect(await refusalsOf(thief)).toEqual([
    expect.objectContaining({ subjectId: null, detail: expect.objectContaining({ things: unknown }) }),
    expect.objectContaining({ subjectId: null, detail: expect.objectContaining({ things: "" }) }),
  ]);
});

test("a missing record, an invalid input and the caller's own record leave no row, and a caller's text is not recorded", async () => {
  const someone = await student();
  await someone.caller.call("auctions.relation", { productId: unknown });
  await someone.caller.call("documents.ofStudent", { studentId: someone.id });
  await someone.caller.call("shortlist.add", { university: "", course: "", url: "" });
  expect(await refusalsOf(someone)).toEqual([]);
  await someone.caller.call("documents.ofStudent", { studentId: "no id: <b>\u202e" });
  expect((await refusalsOf(someone)).map(({ detail }) => detail)).toEqual([
    { procedure: "documents.ofStudent", count: "1", things: "" },
  ]);
});

test("logins to a locked account are recorded for the account, grouped", async () => {
  const { id, email } = await student();
  const attempt = () =>
    new Caller(w.app, "198.51.100.77").call("account.signIn", { email, password: "wrong password" });
  for (let at = 0; at < 25; at++) await attempt();
  expect((await new Caller(w.app).call("account.signIn", { email, password: goodPassword })).status).toBe(
    429,
  );
  await w.services.refusals.flush();
  const rows = await w.services.database.db
    .select()
    .from(audit)
    .where(inArray(audit.action, ["sign-in-locked", "sign-in-failed"]))
    .orderBy(asc(audit.id));
  expect(rows.filter(({ action }) => action === "sign-in-failed")).toHaveLength(10);
  const locked = rows.filter(({ action }) => action === "sign-in-locked");
  expect(new Set(locked.map(({ subjectId }) => subjectId))).toEqual(new Set([id]));
  const countsFrom = (address: string) =>
    locked.filter((row) => row.address === address).map(({ detail }) => textIn(detail, "count"));
  expect(countsFrom("198.51.100.77")).toEqual(["1", "14"]);
  expect(countsFrom("203.0.113.7")).toEqual(["1"]);
});

test("requests from other sites and calls without their header are in the server's log, with their number", async () => {
  const foreign = () =>
    new Caller(w.app).call("account.me", {}, { headers: { origin: "https://evil.example" } });
  const bare = () => new Caller(w.app).call("account.me", {}, { headers: { "x-csrf-token": "" } });
  for (let at = 0; at < 5; at++) {
    expect((await foreign()).status).toBe(403);
    expect((await bare()).status).toBe(403);
  }
  await w.services.refusals.flush();
  const lines = w.log.filter(({ level, msg }) => level === 40 && msg.includes("was refused"));
  expect(lines).toMatchObject([
    { msg: "a request from another site was refused", count: 1 },
    { msg: "a call without its header was refused", count: 1 },
    { msg: "a request from another site was refused", count: 4 },
    { msg: "a call without its header was refused", count: 4 },
  ]);
});

test("stopping writes the gathered refusals", async () => {
  const node = await wayfare({ on: w.address });
  const thief = await student();
  const caller = new Caller(node.app);
  for (const [name, value] of thief.caller.cookies) caller.cookies.set(name, value);
  for (let at = 0; at < 3; at++) await caller.call("agents.counts");
  await node.stop();
  expect((await refusalsOf(thief)).map(({ detail }) => textIn(detail, "count"))).toEqual(["1", "2"]);
});
