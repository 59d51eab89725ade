import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programmeEntry } from "#contract/programme-entry.ts";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { checkProgramme } from "#domain/programme-check.ts";
import { programmeForm } from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { readEntries } from "./entries.ts";
import { refreshListingOf } from "./listing.ts";
import { storeProgramme } from "./store.ts";
import {
  entryRequirements,
  exchangeRate,
  institution,
  nationalityGroup,
  programme,
  programmeListing,
} from "./tables.ts";

let w: Wayfare;
const leeds = {
  id: randomUUID(),
  name: "University of Leeds",
  country: "GB",
  zone: "Europe/London",
} as const;
beforeAll(async () => {
  w = await wayfare();
  await w.services.database.db.insert(institution).values({ ...leeds, place: "Leeds" });
  await w.services.database.db
    .insert(nationalityGroup)
    .values({ id: randomUUID(), name: "West Africa", countries: ["NG", "GH"] });
});
afterAll(() => w.stop());

const entry: ProgrammeEntry = {
  ...programmeForm,
  intakes: [
    {
      year: 2090,
      month: 9,
      state: "open",
      deadlines: [
        { kind: "documentsBy", group: null, date: "2090-07-15", time: null, hard: false },
        { kind: "applyBy", group: "West Africa", date: "2090-05-31", time: "17:00", hard: true },
        { kind: "applyBy", group: null, date: "2090-06-30", time: "17:00", hard: true },
      ],
    },
  ],
  fees: [
    ...programmeForm.fees,
    { kind: "tuition", amount: 950_000, currency: "GBP", per: "year", academicYear: 2090, audience: "home" },
    {
      kind: "tuition",
      amount: 2_750_000,
      currency: "GBP",
      per: "year",
      academicYear: 2090,
      audience: "international",
    },
  ],
  requirementSets: [...programmeForm.requirementSets, [{ kind: "text", text: "A portfolio" }]],
};

function checked(form: ProgrammeEntry): ProgrammeEntry {
  const outcome = checkProgramme(programmeEntry.parse(form), "2026-11-24");
  if ("code" in outcome) throw new Error(outcome.message);
  return outcome;
}

async function store(form: ProgrammeEntry, id: string | null = null) {
  return await w.services.database.transaction(async (tx) => {
    const version = await storeProgramme(tx, {
      id,
      institution: leeds,
      entry: checked(form),
      checkedBy: null,
    });
    await refreshListingOf(tx, [version.id]);
    return version;
  });
}
const read = async (id: string) => {
  const [row] = await readEntries(w.services.database.db, eq(programme.id, id));
  if (!row) throw new Error("There is no such programme");
  return row;
};

test("a programme is read as the entry that it was stored from, even when it is stored again", async () => {
  const { id, version } = await store(entry);
  expect(version).toBe(1);
  expect((await read(id)).entry).toEqual(checked(entry));
  const again = await store((await read(id)).entry, id);
  expect(again).toEqual({ id, version: 2 });
  expect((await read(id)).entry).toEqual(checked(entry));
});

test("an intake that an edit drops is gone from the entry, and keeps its id when it returns", async () => {
  const { id } = await store(entry);
  const before = (await read(id)).intakeIds;
  await store({ ...entry, intakes: [] }, id);
  expect((await read(id)).entry.intakes).toEqual([]);
  await store(entry, id);
  expect((await read(id)).intakeIds).toEqual(before);
});

test("programmes with the same requirements share their rows, even when they are stored concurrently", async () => {
  const requirementSets = [[{ kind: "text", text: `A portfolio ${randomUUID()}` }]] as const;
  const versions = await Promise.all(
    Array.from({ length: 4 }, (_, number) => store({ ...entry, title: `Course ${number}`, requirementSets })),
  );
  const rows = await w.services.database.db
    .select({ id: programme.id, requirements: programme.entryRequirementsId })
    .from(programme)
    .innerJoin(entryRequirements, eq(entryRequirements.id, programme.entryRequirementsId));
  const shared = rows.filter(({ id }) => versions.some((each) => each.id === id));
  expect(shared).toHaveLength(4);
  expect(new Set(shared.map(({ requirements }) => requirements)).size).toBe(1);
});

test("the listing converts the newest tuition of international students by the newest rate", async () => {
  await w.services.database.db.insert(exchangeRate).values([
    { day: "2025-01-01", currency: "GBP", perRand: "0.05" },
    { day: "2026-01-01", currency: "GBP", perRand: "0.04" },
  ]);
  const { id } = await store(entry);
  const [row] = await w.services.database.db
    .select()
    .from(programmeListing)
    .where(eq(programmeListing.id, id));
  expect(row).toMatchObject({
    facets: "GB/Postgraduate/health/en/fullTime",
    judgedFor: "2090-09-01",
    applyBy: new Date("2090-06-30T16:00:00Z"),
    tuition: 2_750_000,
    tuitionCurrency: "GBP",
    // 27,500 pounds at 0.04 pounds per rand.
    tuitionRand: 68_750_000,
    stale: false,
  });
});

test("a deadline for an unknown group of nationalities is refused", async () => {
  const deadlines = [
    { kind: "applyBy", group: "Atlantis", date: "2090-06-30", time: null, hard: true },
  ] as const;
  const intakes = [{ year: 2090, month: 9, state: "open", deadlines }] as const;
  await expect(store({ ...entry, intakes })).rejects.toMatchObject({ code: "form/incomplete" });
});
