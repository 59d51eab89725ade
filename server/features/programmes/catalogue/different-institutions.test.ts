import { randomUUID } from "node:crypto";
import { desc, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { institutionForm } from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { differentInstitutions } from "../tables.ts";

let w: Wayfare;
let admin: Person;
let api: Person["caller"]["api"];
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
  ({ api } = admin.caller);
});
afterAll(() => w.stop());

const add = async (name: string) => (await api.catalogue.saveInstitution(institutionForm(name))).id;
/** Adds two institutions whose names differ only in an accent, so that they may be the same. */
async function similarPair() {
  const mark = randomUUID().slice(0, 8);
  return { one: await add(`Col${mark} of Art`), other: await add(`Còl${mark} of Art`), mark };
}
type Pair = { one: string; other: string };
const isPair =
  ({ one, other }: Pair) =>
  (pair: { one: { id: string }; other: { id: string } }) =>
    [pair.one.id, pair.other.id].toSorted().join() === [one, other].toSorted().join();
const isOpen = async (pair: Pair) => (await api.catalogue.similarInstitutions()).pairs.some(isPair(pair));
const decided = async (pair: Pair) =>
  (await api.catalogue.differentInstitutions({})).pairs.filter(isPair(pair));
const rowsOf = ({ one, other }: Pair) =>
  w.services.database.db
    .select()
    .from(differentInstitutions)
    .where(inArray(differentInstitutions.oneId, [one, other]));

test("a pair that is marked as different leaves the list, in either order, and is listed with the admin who marked it", async () => {
  const pair = await similarPair();
  expect(await isOpen(pair)).toBe(true);
  await api.catalogue.sayDifferent({ one: pair.other, other: pair.one });
  await api.catalogue.sayDifferent({ one: pair.one, other: pair.other });
  expect(await isOpen(pair)).toBe(false);
  const [adminRow] = await w.services.database.db
    .select()
    .from(user)
    .where(inArray(user.id, [admin.id]));
  expect(await decided(pair)).toMatchObject([{ by: adminRow?.name, at: expect.any(Date) }]);
  const entries = await w.services.database.db.select().from(audit).orderBy(desc(audit.id)).limit(2);
  expect(entries.filter(({ action }) => action === "institutions-different")).toMatchObject([
    { actorId: admin.id, detail: { institution: `Còl${pair.mark} of Art`, other: `Col${pair.mark} of Art` } },
  ]);
});

test("a pair whose mark is removed is open again, and can't be unmarked twice", async () => {
  const pair = await similarPair();
  await api.catalogue.sayDifferent(pair);
  await api.catalogue.takeBackDifferent({ one: pair.other, other: pair.one });
  expect(await isOpen(pair)).toBe(true);
  expect(await decided(pair)).toEqual([]);
  await expect(api.catalogue.takeBackDifferent(pair)).rejects.toMatchObject({ code: "not-found" });
});

test("concurrent marks by several admins leave one row and one audit entry", async () => {
  const pair = await similarPair();
  const others = await Promise.all([1, 2, 3].map(() => person(w, "admin", "active")));
  await Promise.all(
    [admin, ...others].map(({ caller }, at) =>
      caller.api.catalogue.sayDifferent(at % 2 === 0 ? pair : { one: pair.other, other: pair.one }),
    ),
  );
  expect(await rowsOf(pair)).toHaveLength(1);
  const entries = await w.services.database.db.select().from(audit);
  expect(
    entries.filter(({ detail }) => JSON.stringify(detail).includes(`l${pair.mark} of Art`)),
  ).toHaveLength(3);
});

test("a pair is deleted when one of the two is joined into another, even if both happen concurrently", async () => {
  const pair = await similarPair();
  await api.catalogue.sayDifferent(pair);
  await api.catalogue.joinInstitution({ id: pair.one, into: pair.other });
  expect(await rowsOf(pair)).toEqual([]);
  for (let round = 0; round < 4; round++) {
    const pair = await similarPair();
    const third = await add(`Third ${pair.mark}`);
    const [saying, joining] = await Promise.allSettled([
      api.catalogue.sayDifferent(pair),
      api.catalogue.joinInstitution({ id: pair.one, into: third }),
    ]);
    expect(joining.status).toBe("fulfilled");
    if (saying.status === "rejected") expect(saying.reason).toMatchObject({ code: "not-found" });
    expect(await rowsOf(pair)).toEqual([]);
  }
});

test("a pair of an institution with itself or with a joined one is refused", async () => {
  const { one, other } = await similarPair();
  await expect(api.catalogue.sayDifferent({ one, other: one })).rejects.toMatchObject({
    code: "form/incomplete",
  });
  await api.catalogue.joinInstitution({ id: one, into: other });
  await expect(api.catalogue.sayDifferent({ one, other })).rejects.toMatchObject({ code: "not-found" });
});

test("the list of different pairs is paginated, newest first", async () => {
  const pairs = [await similarPair(), await similarPair(), await similarPair()];
  for (const pair of pairs) await api.catalogue.sayDifferent(pair);
  const first = await api.catalogue.differentInstitutions({ limit: 2 });
  const second = await api.catalogue.differentInstitutions({ cursor: first.next ?? "" });
  const shownPairs = [...first.pairs, ...second.pairs];
  const times = shownPairs.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  for (const pair of pairs) expect(shownPairs.filter(isPair(pair))).toHaveLength(1);
});
