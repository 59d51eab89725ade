import { asc, inArray } from "drizzle-orm";
import type { Picture } from "#contract/auctions.ts";
import type { Database } from "#server/platform/database.ts";
import { auctionPicture } from "../tables.ts";

/** The picture that lists show, by product; nothing for a product without one. */
export async function firstPictures(
  db: Database["db"],
  productIds: readonly string[],
): Promise<ReadonlyMap<string, Picture>> {
  if (productIds.length === 0) return new Map();
  const { id, productId, width, height, position } = auctionPicture;
  const found = await db
    .selectDistinctOn([productId], { productId, id, width, height })
    .from(auctionPicture)
    .where(inArray(productId, [...productIds]))
    .orderBy(asc(productId), asc(position));
  return new Map(
    found.flatMap(({ productId: of, ...picture }) => (of === null ? [] : [[of, picture] as const])),
  );
}
