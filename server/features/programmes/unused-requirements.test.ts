import { asc, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Requirement } from "#domain/requirement.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { readEntries } from "./entries.ts";
import { RequirementIndex } from "./finding/requirement-index.ts";
import { entryRequirementsIds } from "./store-requirements.ts";
import { entryRequirements, programme, requirement, requirementSet } from "./tables.ts";
import { removeUnusedRequirements } from "./unused-requirements.ts";

let w: Wayfare;
let leeds: Awaited<ReturnType<typeof storeInstitution>>;
beforeAll(async () => {
  w = await wayfare();
  leeds = await storeInstitution(w);
});
afterAll(() => w.stop());

const gap = (mostYears: number): Requirement => ({ kind: "gap", mostYears });
const text = (words: string): Requirement => ({ kind: "text", text: words });
const store = (requirementSets: Requirement[][], existing: string | null = null) =>
  storeProgrammeOf(w, leeds, { requirementSets }, existing);
const texts = async () =>
  (await w.services.database.db.select().from(requirement).orderBy(asc(requirement.id))).map(({ content }) =>
    content.kind === "text" ? content.text : content.kind,
  );
const setsOf = async (id: string) =>
  (await readEntries(w.services.database.db, sql`${programme.id} = ${id}`))[0]?.entry.requirementSets;
const answersOf = async (index: RequirementIndex) => {
  await index.refresh(w.services.database.db);
  const rows = await w.services.database.db.select({ id: entryRequirements.id }).from(entryRequirements);
  return rows.map(({ id }) => index.setsOf(id));
};

test("requirements are removed once no programme has them, and kept while one does", async () => {
  const { db } = w.services.database;
  const index = new RequirementIndex();
  const changed = await store([[gap(3), text("Old")], [text("Older")]]);
  const other = await store([[gap(3), text("Kept")]]);
  expect((await answersOf(index)).flat(2)).toContainEqual(text("Old"));
  const [before] = await db.select().from(entryRequirements).orderBy(asc(entryRequirements.id)).limit(1);
  await store([[text("New")]], changed);
  await removeUnusedRequirements(w.services, 1);
  expect(await texts()).toEqual(["gap", "Kept", "New"]);
  expect(await db.$count(entryRequirements)).toBe(2);
  expect(await db.$count(requirementSet)).toBe(2);
  expect(await setsOf(other)).toEqual([[gap(3), text("Kept")]]);
  expect(await setsOf(changed)).toEqual([[text("New")]]);
  // The number of entry requirements is as before, but the index still notices the new one.
  expect(await answersOf(index)).toEqual([[[gap(3), text("Kept")]], [[text("New")]]]);
  expect(index.setsOf(before?.id ?? null)).toEqual([]);
  // A removed requirement is stored again.
  await store([[gap(3), text("Old")], [text("Older")]], changed);
  expect(await setsOf(changed)).toEqual([[gap(3), text("Old")], [text("Older")]]);
  await removeUnusedRequirements(w.services);
  expect(await texts()).toEqual(["gap", "Kept", "Old", "Older"]);
});

test("nothing is removed while programmes are being stored, and nobody waits", async () => {
  const id = await store([[text("Found again")]]);
  await store([], id);
  await w.services.database.transaction(async (tx) => {
    await entryRequirementsIds(tx, [[[text("Found again")]]]);
    await removeUnusedRequirements(w.services);
  });
  expect(await texts()).toContain("Found again");
  await removeUnusedRequirements(w.services);
  expect(await texts()).not.toContain("Found again");
});

test("programmes that are stored while unused requirements are removed keep theirs", async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => store([])));
  for (let round = 0; round < 6; round++) {
    const sets = [[text(`Shared ${round % 2}`)]];
    await Promise.all([
      ...ids.map(async (id) => {
        await store(sets, id);
        await store([], id);
        await store(sets, id);
      }),
      ...Array.from({ length: 4 }, () => removeUnusedRequirements(w.services, 2)),
    ]);
    for (const id of ids) expect(await setsOf(id)).toEqual(sets);
  }
});
