import { and, inArray, isNull, lt } from "drizzle-orm";
import { isUuid } from "#domain/uuid.ts";
import { mayDeleteFiles } from "#server/platform/advisory-locks.ts";
import type { Reader } from "#server/platform/database.ts";
import { dayBefore, type Recorded, removeOrphans } from "#server/platform/orphans.ts";
import type { Services } from "#server/services.ts";
import { auctionPicture } from "../tables.ts";
import { folderOf, pictureOf, picturesFolder } from "./picture-files.ts";

type Parts = Pick<Services, "database" | "storage">;

/** Pictures that are deleted at a time. */
const batch = 200;

export const picturesIn = (db: Reader): Recorded => ({
  db,
  folder: picturesFolder,
  async recordedAmong(keys) {
    const ids = [...new Set(keys.map(pictureOf))].filter(isUuid);
    const rows = await db
      .select({ id: auctionPicture.id })
      .from(auctionPicture)
      .where(inArray(auctionPicture.id, ids));
    const recorded = new Set(rows.map(({ id }) => id));
    return new Set(keys.filter((key) => recorded.has(pictureOf(key))));
  },
});

/** Deletes unused pictures. The record goes first: the next night finds a file without one. */
async function removeUnused({ database, storage }: Parts, before: Date): Promise<void> {
  const { db } = database;
  const unused = and(isNull(auctionPicture.productId), lt(auctionPicture.createdAt, before));
  const some = db.select({ id: auctionPicture.id }).from(auctionPicture).where(unused).limit(batch);
  let isMore = true;
  while (isMore) {
    const removed = await db
      .delete(auctionPicture)
      // The condition is checked again on the row itself, since a product may have taken the picture meanwhile.
      .where(and(unused, inArray(auctionPicture.id, some)))
      .returning({ id: auctionPicture.id });
    if (await mayDeleteFiles(db))
      await Promise.all(removed.map(({ id }) => storage.disk.deleteAll(folderOf(id))));
    isMore = removed.length === batch;
  }
}

/** Deletes pictures that were uploaded over a day ago and never used, and files that a killed process has left. */
export async function tidyPictures(parts: Parts, now = new Date()): Promise<void> {
  await removeUnused(parts, dayBefore(now));
  await removeOrphans(parts.storage, picturesIn(parts.database.db), now);
}
