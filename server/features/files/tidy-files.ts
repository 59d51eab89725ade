import { inArray } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import * as orphans from "#server/platform/orphans.ts";
import type { Services } from "#server/services.ts";
import { filePurposes } from "./purposes.ts";
import { storedFile } from "./tables.ts";

type Parts = Pick<Services, "database" | "storage">;

export const storedFilesIn = (db: Reader): orphans.RecordedFolder => ({
  db,
  folders: Object.values(filePurposes).map(({ folder }) => folder),
  async recordedAmong(keys) {
    const rows = await db
      .select({ key: storedFile.key })
      .from(storedFile)
      .where(inArray(storedFile.key, [...keys]));
    return new Set(rows.map(({ key }) => key));
  },
});

/** Deletes the given files, except those that a record names. */
export const removeUnrecorded = ({ database, storage }: Parts, keys: readonly string[]): Promise<void> =>
  orphans.removeUnrecorded(storage, storedFilesIn(database.db), keys);

/** Deletes files that a killed process stored without recording them, or had not finished storing. */
export async function removeOrphans({ database, storage }: Parts, now = new Date()): Promise<void> {
  await storage.removeUnfinished(orphans.dayBefore(now));
  await orphans.removeOrphans(storage, storedFilesIn(database.db), now);
}
