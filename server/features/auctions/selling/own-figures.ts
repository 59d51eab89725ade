import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { SaleState } from "#domain/sale.ts";
import type { Reader } from "#server/platform/database.ts";
import { validBids } from "../catalogue/valid-bids.ts";
import { sale } from "../sales/tables.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";

/** Counts and sums a seller's products: highest bids of open ones, prices of sold ones. */
export async function readOwnFigures(db: Reader, sellerId: string) {
  const bids = sql`case when ${validBids} > 0 then ${auctionBidding.price} else 0 end`;
  const rows = await db
    .select({
      state: auctionProduct.state,
      count: sql<number>`count(*)::int`,
      sum: sql<number>`coalesce(sum(case when ${auctionProduct.state} = 'open' then ${bids} else ${auctionProduct.winningBid} end), 0)`.mapWith(
        Number,
      ),
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .where(
      and(eq(auctionProduct.sellerId, sellerId), inArray(auctionProduct.state, ["open", "unsold", "sold"])),
    )
    .groupBy(auctionProduct.state)
    .prepare("own_figures")
    .execute();
  const figuresOf = (state: "open" | "unsold" | "sold") => {
    const row = rows.find((each) => each.state === state);
    return { count: row?.count ?? 0, sum: row?.sum ?? 0 };
  };
  const sales = await readSaleFigures(db, sellerId);
  return { open: figuresOf("open"), unsold: figuresOf("unsold").count, sold: figuresOf("sold"), sales };
}

type Figures = { count: number; sum: number };

/** Counts and sums the latest sales of a seller's sold products by their state. */
async function readSaleFigures(db: Reader, sellerId: string): Promise<Record<SaleState, Figures>> {
  const latest = db
    .selectDistinctOn([sale.productId], { productId: sale.productId, state: sale.state, amount: sale.amount })
    .from(sale)
    .where(eq(sale.sellerId, sellerId))
    .orderBy(sale.productId, desc(sale.madeAt), desc(sale.id))
    .as("latest");
  const rows = await db
    .select({
      state: latest.state,
      count: sql<number>`count(*)::int`,
      sum: sql<number>`sum(${latest.amount})`.mapWith(Number),
    })
    .from(latest)
    .innerJoin(auctionProduct, eq(auctionProduct.id, latest.productId))
    .where(eq(auctionProduct.state, "sold"))
    .groupBy(latest.state)
    .prepare("own_sale_figures")
    .execute();
  const figuresOf = (state: SaleState): Figures => {
    const row = rows.find((each) => each.state === state);
    return { count: row?.count ?? 0, sum: row?.sum ?? 0 };
  };
  return {
    awaiting: figuresOf("awaiting"),
    handedOver: figuresOf("handedOver"),
    fellThrough: figuresOf("fellThrough"),
    disputed: figuresOf("disputed"),
  };
}
