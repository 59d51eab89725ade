import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { refreshCatalogue } from "./nightly.ts";
import { programme, programmeIntake } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

test("each night the listing follows what has passed, and what is as it was isn't written", async () => {
  const { db } = w.services.database;
  const leeds = await storeInstitution(w);
  const ids: string[] = [];
  for (const title of ["Nursing", "Zoology", "Welding"])
    ids.push(await storeProgrammeOf(w, leeds, { title }));
  const [passed = ""] = ids;
  // Its intake seems to have begun, and nobody to have checked it for years.
  await db.update(programmeIntake).set({ year: 2020 }).where(eq(programmeIntake.programmeId, passed));
  await db.update(programme).set({ checkedOn: "2020-01-01" }).where(eq(programme.id, passed));
  const listed = () =>
    db
      .select({
        id: programme.id,
        stale: programme.stale,
        judgedFor: programme.judgedFor,
        months: sql<string>`array_to_string(array(select word from unnest(tsvector_to_array(search)) word where word like '/20%'), ' ')`,
        written: sql<string>`xmin::text`,
      })
      .from(programme)
      .orderBy(programme.titleKey);
  const before = await listed();
  expect(before.map(({ months }) => months)).toEqual(["/2090-09", "/2090-09", "/2090-09"]);
  await refreshCatalogue(w.services, 1);
  const after = await listed();
  expect(after[0]).toMatchObject({ id: passed, stale: true, months: "" });
  expect(after[0]?.judgedFor).not.toBe("2090-09-01");
  expect(after.slice(1)).toEqual(before.slice(1));
});

test("search engines are shown programmes, but no invented ones", async () => {
  const leeds = await storeInstitution(w, { name: "Leeds Beckett" });
  await storeProgrammeOf(w, leeds, { title: "Shown" });
  await storeProgrammeOf(w, leeds, { title: "Invented", sample: true });
  const slugs = await w.services.programmeSlugs();
  expect(slugs.filter((slug) => slug.includes("beckett"))).toEqual([
    expect.stringMatching(/^shown-leeds-beckett-/),
  ]);
});
