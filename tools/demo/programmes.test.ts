import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requirementKinds } from "#domain/requirement.ts";
import { readEntries } from "#server/features/programmes/entries.ts";
import { gradeEquivalence, programmeListing } from "#server/features/programmes/tables.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { planProgrammes } from "./programmes.ts";
import { storeCatalogue } from "./store-catalogue.ts";
import { universities } from "./universities.ts";

const now = new Date("2026-11-24T12:00:00Z");
const planned = planProgrammes(300, now);

describe("the demo's programmes", () => {
  test("are the same for the same day, and no institution has duplicates", () => {
    expect(planProgrammes(300, now)).toEqual(planned);
    const names = planned.map(
      ({ institution, entry }) => `${entry.title}, ${entry.level}, ${institution.name}`,
    );
    expect(new Set(names).size).toBe(300);
    expect(new Set(planned.map(({ institution }) => institution.name)).size).toBe(universities.length);
  });

  test("have titles of their field, at institutions that teach it", () => {
    for (const { institution, entry } of planned) {
      if (institution.fields)
        expect([institution.name, institution.fields]).toEqual([
          institution.name,
          expect.arrayContaining([entry.field]),
        ]);
      if (/Nursing|Public Health|Health Sciences/.test(entry.title))
        expect([entry.title, entry.field]).toEqual([entry.title, "health"]);
      if (/Engineering/.test(entry.title))
        expect([entry.title, entry.field]).toEqual([entry.title, "engineering"]);
      if (/^(BSc|BA|BEng) /.test(entry.title))
        expect([entry.title, entry.level]).toEqual([entry.title, "Undergraduate"]);
    }
  });

  test("have requirements of every kind, several currencies, old checks and intakes in every state", () => {
    const entries = planned.map(({ entry }) => entry);
    const kinds = new Set(
      entries.flatMap(({ requirementSets }) => requirementSets.flat().map(({ kind }) => kind)),
    );
    expect(kinds).toEqual(new Set(requirementKinds));
    const currencies = new Set(entries.flatMap(({ fees }) => fees.map(({ currency }) => currency)));
    expect(currencies).toEqual(new Set(["GBP", "EUR", "CAD", "USD", "AED"]));
    const states = new Set(entries.flatMap(({ intakes }) => intakes.map(({ state }) => state)));
    expect(states).toEqual(new Set(["open", "notYet", "closed", "full"]));
    expect(entries.some(({ checkedOn }) => checkedOn < "2025-05-24")).toBe(true);
    expect(entries.some(({ requirementSets }) => requirementSets.length === 0)).toBe(true);
    expect(entries.some(({ fees }) => fees.length === 0)).toBe(true);
  });

  describe("once stored", () => {
    let w: Wayfare;
    beforeAll(async () => {
      w = await wayfare();
    });
    afterAll(() => w.stop());

    test("are read as they were planned, with tuition in rand", async () => {
      const admin = await person(w, "admin", "active");
      const few = planned.slice(0, 40);
      const { db } = w.services.database;
      const idsOf = await w.services.database.transaction((tx) => storeCatalogue(tx, few, admin.id, now));
      const entries = new Map((await readEntries(db, sql`true`)).map(({ id, entry }) => [id, entry]));
      for (const [place, { entry }] of few.entries()) {
        const { programmeId, intakeId } = idsOf({
          programme: place,
          intake: entry.intakes.length > 0 ? 0 : null,
        });
        expect(entries.get(programmeId ?? "")).toEqual(entry);
        expect(intakeId === null).toBe(entry.intakes.length === 0);
      }
      const rows = await db.select().from(programmeListing);
      for (const { tuition, tuitionRand } of rows)
        if (tuition !== null) expect(tuitionRand).toBeGreaterThan(tuition);
      expect(await db.$count(gradeEquivalence)).toBeGreaterThan(5);
    });
  });
});
