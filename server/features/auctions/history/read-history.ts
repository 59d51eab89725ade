import { and, asc, eq, gt, lte, ne, sql } from "drizzle-orm";
import { headText } from "#domain/bid-history.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionBid, auctionBidding, auctionProduct } from "../tables.ts";
import { firstHash } from "./chain.ts";

const pageSize = 1_000;

/** The latest row that has a hash; rows after it were written by a version without hashes. */
const lastChained = sql<{ number: number; hash: string } | null>`(
  select json_build_object('number', number, 'hash', encode(hash, 'hex')) from auction_bid
  where auction_bid.product_id = auction_bidding.product_id and number <= bid_count and hash is not null
  order by number desc limit 1)`;

async function readTerms(db: Reader, productId: string) {
  const [row] = await db
    .select({
      sellerTag: auctionProduct.sellerTag,
      startingBid: auctionProduct.startingBid,
      plannedEnd: auctionProduct.endDate,
      softClose: auctionProduct.softClose,
      rules: auctionProduct.rules,
      bidCount: auctionBidding.bidCount,
      last: lastChained,
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")))
    .prepare("history_terms")
    .execute();
  return row;
}

const readRows = (db: Reader, productId: string, after: number, last: number) =>
  db
    .select({
      number: auctionBid.number,
      bidderId: auctionBid.bidderId,
      at: auctionBid.createdAt,
      tag: auctionBid.tag,
      amount: auctionBid.amount,
      kind: auctionBid.kind,
      commitment: auctionBid.commitment,
      hash: auctionBid.hash,
    })
    .from(auctionBid)
    .where(
      and(eq(auctionBid.productId, productId), gt(auctionBid.number, after), lte(auctionBid.number, last)),
    )
    .orderBy(asc(auctionBid.number))
    .limit(pageSize)
    .prepare("history_rows")
    .execute();

/**
 * Returns the public history of a product, line by line (docs/auctions.md, "Open books"), a page of rows at a time, as
 * of the call, since rows are only added. Returns null for a product that was removed or never existed.
 */
export async function readHistory(
  { database: { db }, products, signReceipt }: Pick<Services, "database" | "products" | "signReceipt">,
  productId: string,
): Promise<AsyncGenerator<Buffer> | null> {
  const row = await readTerms(db, productId);
  if (!row) return null;
  const { bidCount, last, ...terms } = row;
  const first = { productId, chained: terms.sellerTag !== null, ...terms };

  async function chain(sellerTag: string) {
    const start = firstHash({ productId, ...terms, sellerTag }).toString("hex");
    const head = last ?? { number: 0, hash: start };
    return { firstHash: start, head: { ...head, ...signReceipt(headText(productId, head)) } };
  }
  const line = { ...first, ...(terms.sellerTag !== null && (await chain(terms.sellerTag))) };

  async function* lines(): AsyncGenerator<Buffer> {
    yield encode([line]);
    for (let after = 0; after < bidCount; ) {
      const rows = await readRows(db, productId, after, bidCount);
      if (rows.length === 0) return;
      yield encode(
        rows.map(({ bidderId, tag, commitment, hash, ...bid }) => ({
          ...bid,
          tag: tag ?? products.tagOf(productId, bidderId),
          commitment: commitment?.toString("hex") ?? null,
          hash: hash?.toString("hex") ?? null,
        })),
      );
      after = rows.at(-1)?.number ?? bidCount;
    }
  }
  return lines();
}

const encode = (lines: readonly object[]): Buffer =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
