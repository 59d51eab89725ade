import { and, eq, ne } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { auctionPicture, auctionProduct } from "../tables.ts";

/** Whether everyone may see a picture: that of a product which was not removed. */
export async function isPublicPicture(db: Reader, id: string): Promise<boolean> {
  const [found] = await db
    .select({ id: auctionPicture.id })
    .from(auctionPicture)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionPicture.productId))
    .where(and(eq(auctionPicture.id, id), ne(auctionProduct.state, "removed")));
  return found !== undefined;
}
