import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { refreshCatalogue } from "./nightly.ts";
import { intakeDeadline, programme, programmeIntake, programmeListing } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

test("the nightly refresh updates the listing for what has passed, and writes no unchanged rows", async () => {
  const { db } = w.services.database;
  const leeds = await storeInstitution(w);
  const ids: string[] = [];
  for (const title of ["Nursing", "Zoology", "Welding"])
    ids.push(await storeProgrammeOf(w, leeds, { title }));
  const [passed = ""] = ids;
  // Makes its intake and its last check lie years ago.
  await db.update(programmeIntake).set({ year: 2020 }).where(eq(programmeIntake.programmeId, passed));
  await db.update(programme).set({ checkedOn: "2020-01-01" }).where(eq(programme.id, passed));
  const listings = () =>
    db
      .select({
        id: programmeListing.id,
        stale: programmeListing.stale,
        judgedFor: programmeListing.judgedFor,
        months: sql<string>`array_to_string(array(select word from unnest(tsvector_to_array(search)) word where word like '/20%'), ' ')`,
        written: sql<string>`xmin::text`,
      })
      .from(programmeListing)
      .where(inArray(programmeListing.id, ids))
      .orderBy(programmeListing.titleKey);
  const before = await listings();
  expect(before.map(({ months }) => months)).toEqual(["/2090-09", "/2090-09", "/2090-09"]);
  await refreshCatalogue(w.services, 1);
  const after = await listings();
  expect(after[0]).toMatchObject({ id: passed, stale: true, months: "" });
  expect(after[0]?.judgedFor).not.toBe("2090-09-01");
  expect(after.slice(1)).toEqual(before.slice(1));
});

test("the nightly refresh recomputes upcoming deadlines by the rules of their time zones, and lists follow", async () => {
  const { db } = w.services.database;
  const york = await storeInstitution(w, { name: "University of York" });
  const applyBy = { kind: "applyBy" as const, group: null, time: "17:00", hard: true };
  const intakes = [
    { year: 2090, month: 9, state: "open" as const, deadlines: [{ ...applyBy, date: "2090-06-30" }] },
    { year: 2091, month: 9, state: "open" as const, deadlines: [{ ...applyBy, date: "2020-06-30" }] },
  ];
  const id = await storeProgrammeOf(w, york, { title: "History", intakes });
  const ofHistory = sql`intake_id in (select id from programme_intake where programme_id = ${id})`;
  const moments = async () => {
    const rows = await db.select().from(intakeDeadline).where(ofHistory).orderBy(intakeDeadline.date);
    return rows.map(({ dueAt }) => dueAt.toISOString());
  };
  const inSummer = "2090-06-30T16:00:00.000Z";
  expect(await moments()).toEqual(["2020-06-30T16:00:00.000Z", inSummer]);
  // These moments were computed before London had summer time. One of them has passed.
  await db.execute(sql`update intake_deadline set due_at = due_at + interval '1 hour' where ${ofHistory}`);
  await refreshCatalogue(w.services, 1);
  expect(await moments()).toEqual(["2020-06-30T17:00:00.000Z", inSummer]);
  const [row] = await db.select().from(programmeListing).where(eq(programmeListing.id, id));
  expect(row?.applyBy.toISOString()).toBe(inSummer);
});

test("search engines are shown programmes, but no samples", async () => {
  const leeds = await storeInstitution(w, { name: "Leeds Beckett" });
  await storeProgrammeOf(w, leeds, { title: "Shown" });
  await storeProgrammeOf(w, leeds, { title: "Invented", sample: true });
  const slugs = await w.services.programmeSlugs();
  expect(slugs.filter((slug) => slug.includes("beckett"))).toEqual([
    expect.stringMatching(/^shown-leeds-beckett-/),
  ]);
});
