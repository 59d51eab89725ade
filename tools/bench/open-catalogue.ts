import { desc } from "drizzle-orm";
import { storeSamples } from "#server/features/programmes/catalogue/samples.ts";
import { programme } from "#server/features/programmes/tables.ts";
import { inDatabase } from "#tests/e2e/auctioneer.ts";

/** Stores the programmes that ship, as if they were no samples; returns the path of the page of one. */
export async function openCatalogue(dataDir: string): Promise<string> {
  return await inDatabase({ dataDir }, async ({ services }) => {
    await services.database.transaction(async (tx) => {
      await storeSamples(tx);
      await tx.update(programme).set({ sample: false });
    });
    const [row] = await services.database.db
      .select({ slug: programme.slug })
      .from(programme)
      .orderBy(desc(programme.title))
      .limit(1);
    if (!row) throw new Error("no programme was stored");
    return `/programmes/${row.slug}`;
  });
}
