import { eq } from "drizzle-orm";
import { programme } from "#server/features/programmes/tables.ts";
import { inDatabase } from "#tests/e2e/auctioneer.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { planProgrammes } from "#tools/demo/programmes.ts";

type Institution = Awaited<ReturnType<typeof storeInstitution>>;

/** Stores sixty programmes of the demo; returns the path of the page of one. */
export async function openCatalogue(dataDir: string): Promise<string> {
  return await inDatabase({ dataDir }, async (store) => {
    const institutions = new Map<string, Institution>();
    let last = "";
    for (const { institution, entry } of planProgrammes(60, new Date())) {
      const stored = institutions.get(institution.name) ?? (await storeInstitution(store, institution));
      institutions.set(institution.name, stored);
      // Its deadlines would name groups of nationalities that aren't stored.
      const intakes = entry.intakes.map((intake) => ({
        ...intake,
        deadlines: intake.deadlines.filter(({ group }) => group === null),
      }));
      last = await storeProgrammeOf(store, stored, { ...entry, intakes, sample: false });
    }
    const [row] = await store.services.database.db
      .select({ slug: programme.slug })
      .from(programme)
      .where(eq(programme.id, last));
    if (!row) throw new Error("no programme was stored");
    return `/programmes/${row.slug}`;
  });
}
