import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { deniedAgent, user } from "../account/tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

type Card = { id: string; kind: string; date: string | null; by: string | null };
type Page = { agents: Card[]; next: string | null };
const page = async (tab: string, cursor?: string | null) => {
  const { body } = await boss.caller.call("agents.list", { tab, ...(cursor && { cursor }) });
  return body as Page;
};
const setDisabled = (userId: string, disabled: boolean) =>
  boss.caller.call("students.setDisabled", { userId, disabled });

const start = Date.UTC(2026, 0, 1);
const agent = (
  id: string,
  status: "revoked" | "disabled",
  changes: Partial<typeof user.$inferInsert> = {},
) => ({
  id,
  name: id,
  email: `${id}@example.org`,
  role: "agent" as const,
  status,
  ...changes,
});

test("revoked, denied and disabled agents are counted together, and read in pages that neither repeat nor miss", async () => {
  // Many entries share a moment, within a source and between sources.
  const at = (number: number) => new Date(start + Math.floor(number / 7) * 1000);
  const names = (kind: string, length: number) => Array.from({ length }, (_, number) => `${kind}-${number}`);
  const revoked = names("revoked", 90).map((id, number) => agent(id, "revoked", { revokedAt: at(number) }));
  const disabled = names("disabled", 60).map((id, number) =>
    agent(id, "disabled", { disabledAt: at(number) }),
  );
  const denied = names("denied", 30).map((id, number) => ({
    id,
    email: `${id}@example.org`,
    password: "x",
    deniedBy: boss.id,
    deniedAt: at(number),
  }));
  const added = new Set([...revoked, ...disabled, ...denied].map(({ id }) => id));
  const before = await boss.caller.api.agents.counts();
  const { db } = w.services.database;
  await db.insert(user).values([...revoked, ...disabled]);
  await db.insert(deniedAgent).values(denied);

  const former = before.former + 180;
  expect(await boss.caller.api.agents.counts()).toEqual({ ...before, former });
  const cards: Card[] = [];
  const first = (await page("former")).agents.filter(({ id }) => added.has(id));
  const kindsOnFirst = new Set(first.map(({ kind }) => kind));
  expect(kindsOnFirst).toEqual(new Set(["revoked", "disabled"]));
  let cursor: string | null | undefined;
  do {
    const answer = await page("former", cursor);
    expect(answer.agents.length).toBeLessThanOrEqual(50);
    cards.push(...answer.agents);
    cursor = answer.next;
  } while (cursor !== null);
  expect(cards).toHaveLength(former);
  expect(new Set(cards.map(({ id }) => id)).size).toBe(former);
  const ours = cards.filter(({ id }) => added.has(id));
  expect(ours).toHaveLength(180);
  const moments = ours.map(({ date }) => date ?? "");
  expect(moments).toEqual(moments.toSorted().toReversed());
});

test("a disabled agent's card names who disabled them last, and when", async () => {
  const [kofi, other] = [await person(w, "agent", "approved"), await person(w, "admin", "active")];
  const cardOf = async () => (await page("former")).agents.find(({ id }) => id === kofi.id);
  await w.services.database.db.update(user).set({ approvedAt: new Date() }).where(eq(user.id, kofi.id));
  await setDisabled(kofi.id, true);
  await setDisabled(kofi.id, false);
  expect(await cardOf()).toBeUndefined();
  expect((await other.caller.call("students.setDisabled", { userId: kofi.id, disabled: true })).status).toBe(
    200,
  );
  const disabledAt = (await storedUser(w, kofi.id))?.disabledAt;
  expect(await cardOf()).toMatchObject({
    kind: "disabled",
    name: "Ada Obi",
    email: kofi.email,
    agency: "North Star",
    date: disabledAt?.toISOString(),
    by: other.email,
  });
});

test("the date is null if it is unknown", async () => {
  const kofi = await person(w, "agent", "disabled");
  const card = (await page("former")).agents.find(({ id }) => id === kofi.id);
  expect(card).toMatchObject({ kind: "disabled", date: null, by: null });
});

test("an invalid cursor is refused", async () => {
  for (const cursor of ["nonsense", "", Buffer.from('["yesterday","x"]').toString("base64url")])
    expect((await boss.caller.call("agents.list", { tab: "former", cursor })).code).toBe("invalid-argument");
});

test("a search finds name, agency and address, in any order; a denied agent by the address alone", async () => {
  const { db } = w.services.database;
  const added = agent("finder-one", "revoked", {
    name: "Zoë Quispe",
    agency: "Puma Travel",
    email: "z.quispe@example.org",
  });
  await db.insert(user).values([added, agent("finder-two", "revoked", { agency: "Puma & Sons" })]);
  const gone = { id: "finder-gone", email: "gone@puma.example", password: "x", deniedBy: boss.id };
  await db.insert(deniedAgent).values(gone);
  const idsFor = async (search: string) => {
    const { body } = await boss.caller.call("agents.list", { tab: "former", search });
    return (body as Page).agents.map(({ id }) => id).toSorted();
  };
  expect(await idsFor("puma")).toEqual(["finder-gone", "finder-one", "finder-two"]);
  expect(await idsFor("travel zoe")).toEqual(["finder-one"]);
  expect(await idsFor("z.quispe@")).toEqual(["finder-one"]);
  expect(await idsFor("100%")).toEqual([]);
  await db
    .insert(user)
    .values(agent("finder-irish", "revoked", { name: "Siobhán O’Brien", agency: "D'Arcy" }));
  expect(await idsFor("obrien darcy")).toEqual(["finder-irish"]);
});
