import { inArray } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import * as orphans from "#server/platform/orphans.ts";
import type { Services } from "#server/services.ts";
import { document } from "../tables.ts";

type Parts = Pick<Services, "database" | "storage">;

export const documentsIn = (db: Reader): orphans.Recorded => ({
  db,
  folder: "documents",
  async recordedAmong(keys) {
    const rows = await db
      .select({ key: document.storageKey })
      .from(document)
      .where(inArray(document.storageKey, [...keys]));
    return new Set(rows.map(({ key }) => key));
  },
});

/** Deletes the given files, except those that a record names. */
export const removeUnrecorded = ({ database, storage }: Parts, keys: readonly string[]): Promise<void> =>
  orphans.removeUnrecorded(storage, documentsIn(database.db), keys);

/** Deletes files that a killed process stored without recording them, or had not finished storing. */
export async function removeOrphans({ database, storage }: Parts, now = new Date()): Promise<void> {
  await storage.removeUnfinished(orphans.dayBefore(now));
  await orphans.removeOrphans(storage, documentsIn(database.db), now);
}
