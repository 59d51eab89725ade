import { randomUUID } from "node:crypto";
import { and, inArray, isNull, sql } from "drizzle-orm";
import { calendarDate } from "#domain/calendar-date.ts";
import { startDay } from "#domain/programme.ts";
import { agreement } from "#server/features/agreements/tables.ts";
import { refreshListing } from "#server/features/programmes/listing.ts";
import { storeProgrammes } from "#server/features/programmes/store.ts";
import {
  exchangeRate,
  gradeEquivalence,
  institution,
  nationalityGroup,
  programmeIntake,
} from "#server/features/programmes/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { CatalogueChoice } from "./from-catalogue.ts";
import { type DemoProgramme, groups } from "./programmes.ts";
import { daysBefore } from "./time.ts";
import { universities } from "./universities.ts";

/** The amount of each currency that a rand buys. Invented, as of a day some weeks ago and of one last year. */
const rates = { GBP: "0.0432", EUR: "0.0503", USD: "0.0571", CAD: "0.0789", AED: "0.2097" } as const;

const equivalences = [
  ["gpa5", "4.5", "First", null, null],
  ["gpa5", "3.5", "Upper second (2:1)", null, null],
  ["gpa5", "2.4", "Lower second (2:2)", null, null],
  ["percent", "70", "First", null, 2019],
  ["percent", "60", "Upper second (2:1)", null, 2019],
  ["percent", "75", "First", 2020, null],
  ["percent", "65", "Upper second (2:1)", 2020, null],
  ["percent", "55", "Lower second (2:2)", 2020, null],
] as const;

/** Number of programmes stored by one statement, as in imports. */
const batchSize = 200;

/** Returns the ids under which a planned programme and intake were stored. */
export type StoredCatalogue = (choice: CatalogueChoice) => {
  programmeId: string | null;
  intakeId: string | null;
};

/** Stores the catalogue as staff would have entered it. Returns a lookup of the stored ids by planned place. */
export async function storeCatalogue(
  tx: Transaction,
  programmes: readonly DemoProgramme[],
  adminId: string,
  now: Date,
): Promise<StoredCatalogue> {
  await tx.insert(nationalityGroup).values(groups.map((group) => ({ id: randomUUID(), ...group })));
  const rows = universities.map(({ name, country, place, zone, website }) => ({
    id: randomUUID(),
    name,
    country,
    place,
    zone,
    website,
  }));
  await tx.insert(institution).values(rows);
  const idOf = new Map(rows.map(({ id, name }) => [name, id]));
  const toStore = programmes.map(({ institution: { name, country, zone }, entry }) => ({
    id: null,
    institution: { id: idOf.get(name) ?? "", name, country, zone },
    entry,
    checkedBy: adminId,
  }));
  const ids: string[] = [];
  for (let first = 0; first < toStore.length; first += batchSize)
    ids.push(...(await storeProgrammes(tx, toStore.slice(first, first + batchSize))).map(({ id }) => id));
  await storeTables(tx, adminId, now);
  const paying = rows.filter((_, place) => place % 4 === 1);
  await tx
    .insert(agreement)
    .values(paying.map(({ id: institutionId }) => ({ institutionId, enteredBy: adminId, enteredAt: now })));
  await refreshListing(tx, sql`true`);
  return await lookUp(tx, programmes, ids);
}

async function storeTables(tx: Transaction, adminId: string, now: Date): Promise<void> {
  const days = [390, 20].map((days) => calendarDate(daysBefore(now, days)));
  await tx
    .insert(exchangeRate)
    .values(
      days.flatMap((day) =>
        Object.entries(rates).flatMap(([currency, perRand]) =>
          isRated(currency) ? [{ day, currency, perRand }] : [],
        ),
      ),
    );
  await tx.insert(gradeEquivalence).values(
    equivalences.map(([fromScale, fromGrade, toGrade, firstYear, lastYear]) => ({
      id: randomUUID(),
      fromScale,
      fromGrade,
      toScale: "ukHonours" as const,
      toGrade,
      firstYear,
      lastYear,
      source: "Invented for the demo",
      enteredBy: adminId,
      enteredAt: now,
    })),
  );
}

const isRated = (currency: string): currency is keyof typeof rates => Object.hasOwn(rates, currency);

async function lookUp(
  tx: Transaction,
  programmes: readonly DemoProgramme[],
  ids: readonly string[],
): Promise<StoredCatalogue> {
  const intakes = await tx
    .select()
    .from(programmeIntake)
    .where(and(inArray(programmeIntake.programmeId, [...ids]), isNull(programmeIntake.droppedAt)));
  const intakeIds = new Map(intakes.map((each) => [`${each.programmeId} ${startDay(each)}`, each.id]));
  return ({ programme, intake }) => {
    const programmeId = ids[programme] ?? null;
    const entry = intake === null ? undefined : programmes[programme]?.entry.intakes[intake];
    const intakeId = entry ? intakeIds.get(`${programmeId} ${startDay(entry)}`) : undefined;
    return { programmeId, intakeId: intakeId ?? null };
  };
}
