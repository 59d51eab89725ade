import { and, eq, ne, sql } from "drizzle-orm";
import type { OwnProduct } from "#contract/auctions.ts";
import type { SaleStanding } from "#contract/sale-views.ts";
import { isBound } from "#domain/account.ts";
import type { OwnPart } from "#domain/auction-list.ts";
import { applySilence, type Sale, type SaleKind } from "#domain/sale.ts";
import { ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { type Cursor, cursorForm, descending, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { firstPictures } from "../pictures/queries.ts";
import { saleOf } from "../sales/lock-sale.ts";
import { sale } from "../sales/tables.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";
import { validBids } from "./valid-bids.ts";

const newest = descending(auctionProduct.createdAt, auctionProduct.id);
export const ownProductCursor = cursorForm("time", "uuid");

/** The state that the seller sees. `ended`: the auction has ended and is about to be settled. */
const shownState = sql<OwnProduct["state"]>`case
  when ${auctionProduct.state} = 'open' and ${auctionBidding.endsAt} <= clock_timestamp() then 'ended'
  else ${auctionProduct.state} end`;

const latestSale = sql`(select latest.id from sale latest where latest.product_id = ${auctionProduct.id}
  order by latest.made_at desc, latest.id desc limit 1)`;

const readPage = (db: Reader, sellerId: string, after: Cursor | null, part: OwnPart | null) =>
  db
    .select({
      id: auctionProduct.id,
      productName: auctionProduct.productName,
      category: auctionProduct.category,
      subcategory: auctionProduct.subcategory,
      grade: auctionProduct.grade,
      state: shownState,
      // The highest bidder may not be the buyer, so a sale shows its own price.
      price: sql<number>`coalesce(${auctionProduct.winningBid}, ${auctionBidding.price})`.mapWith(Number),
      bidCount: validBids,
      hadBids: sql<boolean>`${auctionBidding.bidCount} > 0`,
      endDate: auctionBidding.endsAt,
      createdAt: auctionProduct.createdAt,
      collectionPlace: auctionProduct.collectionPlace,
      courier: auctionProduct.courier,
      buyer: user.name,
      buyerStatus: { role: user.role, status: user.status },
      sale,
      now: sql<Date>`clock_timestamp()`.mapWith(auctionProduct.createdAt),
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .leftJoin(user, eq(user.id, auctionProduct.winnerId))
    .leftJoin(sale, eq(sale.id, latestSale))
    .where(
      and(
        eq(auctionProduct.sellerId, sellerId),
        part === null ? ne(auctionProduct.state, "removed") : eq(auctionProduct.state, part),
        newest.after(after),
      ),
    )
    .orderBy(...newest.by)
    .limit(ownAuctionsPerPage + 1)
    .prepare(`own_products${part === null ? "" : "_in_part"}${after ? "_further" : ""}`)
    .execute();

type Buyer = Pick<Awaited<ReturnType<typeof readPage>>[number], "buyerStatus" | "now">;

/** Returns the progress of a sale as its seller sees it, including what silence has decided by now. */
function standingOf(before: Sale, kind: SaleKind, { buyerStatus, now }: Buyer): SaleStanding {
  const access = { seller: true, buyer: buyerStatus !== null && isBound(buyerStatus) };
  const { state, sellerSaidAt, buyerSaidAt, report, dueAt, fault } =
    applySilence(before, now, access)?.sale ?? before;
  return { kind, state, sellerSaidAt, buyerSaidAt, report, dueAt, fault };
}

/**
 * Lists a seller's products, or one part of them, newest first, without those taken off sale; `next` is null on the
 * last page.
 */
export async function listOwnProducts(
  db: Reader,
  sellerId: string,
  after: Cursor | null,
  limit = ownAuctionsPerPage,
  part: OwnPart | null = null,
) {
  const candidates = await readPage(db, sellerId, after, part);
  const { rows, next } = paginate(candidates, limit, ({ createdAt, id }) => writeCursor([createdAt, id]));
  const ids = rows.map(({ id }) => id);
  const pictures = await firstPictures(db, ids);
  const products = rows.map(
    (row): OwnProduct => ({
      id: row.id,
      productName: row.productName,
      category: row.category,
      subcategory: row.subcategory,
      grade: row.grade,
      state: row.state,
      price: row.price,
      bidCount: row.bidCount,
      hadBids: row.hadBids,
      endDate: row.endDate,
      createdAt: row.createdAt,
      collectionPlace: row.collectionPlace,
      courier: row.courier,
      buyer: row.buyer,
      sale: row.sale && standingOf(saleOf(row.sale), row.sale.kind, row),
      picture: pictures.get(row.id) ?? null,
    }),
  );
  return { products, next };
}
