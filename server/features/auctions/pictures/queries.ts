import { and, asc, eq, isNull, ne, sql } from "drizzle-orm";
import type { Picture } from "#contract/listed-products.ts";
import type { Reader } from "#server/platform/database.ts";
import { auctionDraft } from "../selling/tables.ts";
import { auctionPicture, auctionProduct } from "../tables.ts";

/**
 * Returns the picture that lists show, by product. Leaves out products without pictures, and removed ones, whose
 * pictures nobody may see.
 */
export async function firstPictures(
  db: Reader,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, Picture>> {
  if (productIds.length === 0) return new Map();
  const { id, productId, width, height, position } = auctionPicture;
  const rows = await db
    .selectDistinctOn([productId], { productId, id, width, height })
    .from(auctionPicture)
    .innerJoin(auctionProduct, eq(auctionProduct.id, productId))
    .where(
      and(
        sql`${productId} = any(${sql.param([...productIds])}::uuid[])`,
        ne(auctionProduct.state, "removed"),
      ),
    )
    .orderBy(asc(productId), asc(position))
    .prepare("first_pictures")
    .execute();
  return new Map(
    rows.flatMap(({ productId: key, ...picture }) => (key === null ? [] : [[key, picture] as const])),
  );
}

/** Whether a picture is in a draft of this owner and in no product yet, so that only they may see it. */
export async function isInDraftOf(db: Reader, ownerId: string, id: string): Promise<boolean> {
  const [row] = await db
    .select({ id: auctionPicture.id })
    .from(auctionPicture)
    .innerJoin(
      auctionDraft,
      and(eq(auctionDraft.ownerId, ownerId), sql`${auctionDraft.pictures} @> array[${auctionPicture.id}]`),
    )
    .where(
      and(eq(auctionPicture.id, id), eq(auctionPicture.ownerId, ownerId), isNull(auctionPicture.productId)),
    )
    .prepare("picture_in_draft")
    .execute();
  return row !== undefined;
}

/** Whether everyone may see a picture: it must belong to a product that was not removed. */
export async function isPublicPicture(db: Reader, id: string): Promise<boolean> {
  const [row] = await db
    .select({ id: auctionPicture.id })
    .from(auctionPicture)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionPicture.productId))
    .where(and(eq(auctionPicture.id, id), ne(auctionProduct.state, "removed")))
    .prepare("public_picture")
    .execute();
  return row !== undefined;
}
