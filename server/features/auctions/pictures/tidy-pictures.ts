import { and, exists, inArray, isNull, lt, not, sql } from "drizzle-orm";
import { mayDeleteFiles } from "#server/platform/advisory-locks.ts";
import { dayBefore } from "#server/platform/orphans.ts";
import type { Services } from "#server/services.ts";
import { auctionDraft } from "../selling/tables.ts";
import { auctionPicture } from "../tables.ts";
import { folderOf } from "./picture-files.ts";

type Parts = Pick<Services, "database" | "storage">;

const batchSize = 200;

/** Deletes pictures that were uploaded over a day ago and are in no product and no draft. */
export async function tidyPictures({ database, storage }: Parts, now = new Date()): Promise<void> {
  const { db } = database;
  const before = dayBefore(now);
  // The record is deleted first: the next night's run finds a file without one.
  const inDraft = exists(
    db
      .select({ id: auctionDraft.id })
      .from(auctionDraft)
      .where(sql`${auctionDraft.pictures} @> array[${auctionPicture.id}]`),
  );
  const unused = and(isNull(auctionPicture.productId), lt(auctionPicture.createdAt, before), not(inDraft));
  const nextIds = db.select({ id: auctionPicture.id }).from(auctionPicture).where(unused).limit(batchSize);
  let hasMore = true;
  while (hasMore) {
    const rows = await db
      .delete(auctionPicture)
      // The condition is checked again on the row itself, since a product may have taken the picture meanwhile.
      .where(and(unused, inArray(auctionPicture.id, nextIds)))
      .returning({ id: auctionPicture.id });
    if (await mayDeleteFiles(db))
      await Promise.all(rows.map(({ id }) => storage.disk.deleteAll(folderOf(id))));
    hasMore = rows.length === batchSize;
  }
}
