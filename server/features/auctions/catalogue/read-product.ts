import { and, asc, desc, eq, lte, ne, sql } from "drizzle-orm";
import type { Addition, ProductState, ShownBid } from "#contract/auctions.ts";
import type { CardState, Picture } from "#contract/listed-products.ts";
import { bidCounts } from "#domain/auction-close.ts";
import { leastBid, maskName } from "#domain/bid.ts";
import { recordFrom } from "#domain/sale-record.ts";
import { bidsPerPage, maxSold } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Keys } from "#server/platform/keys.ts";
import { recordOf } from "../sales/records.ts";
import { auctionAddition, auctionQuestion } from "../selling/tables.ts";
import { auctionBid, auctionBidding, auctionPicture, auctionProduct } from "../tables.ts";
import { isSuperseded, isWithdrawn, validBids } from "./valid-bids.ts";

/** Counts one more than is shown, to know whether there are more. */
const soldBySeller = sql<number>`(select count(*)::int from (
  select from auction_product sold where sold.state = 'sold' and sold.seller_id = auction_product.seller_id
  limit ${maxSold + 1}) sold)`;

const answeredQuestions = sql<number>`(select count(*)::int from ${auctionQuestion}
  where ${auctionQuestion.productId} = ${auctionProduct.id} and answer is not null and hidden_at is null)`;

/** Additions to the description, with times in milliseconds. */
const additions = sql<Addition[]>`(select coalesce(json_agg(json_build_object(
    'text', text, 'at', (extract(epoch from at) * 1000)::bigint) order by number), '[]')
  from ${auctionAddition} where ${auctionAddition.productId} = ${auctionProduct.id})`;
/** Selects the public outcome of the latest sale; null for a first sale that hasn't fallen through. */
const latestSale = sql<"fellThrough" | "secondChance" | null>`(
  select case when latest.state = 'fellThrough' then 'fellThrough' when latest.kind = 'secondChance' then 'secondChance' end
  from sale latest where latest.product_id = auction_product.id order by latest.made_at desc, latest.id desc limit 1)`;

async function readFacts(db: Reader, id: string) {
  const [row] = await db
    .select({
      productName: auctionProduct.productName,
      description: auctionProduct.description,
      category: auctionProduct.category,
      subcategory: auctionProduct.subcategory,
      grade: auctionProduct.grade,
      handover: auctionProduct.handover,
      collectionPlace: auctionProduct.collectionPlace,
      courier: auctionProduct.courier,
      copiedFrom: auctionProduct.copiedFrom,
      terms: auctionBidding.terms,
      additions,
      answered: answeredQuestions,
      seller: { name: user.name, since: user.createdAt },
      sold: soldBySeller,
      record: recordOf("seller", sql`auction_product.seller_id`),
      startingBid: auctionProduct.startingBid,
      createdAt: auctionProduct.createdAt,
      endDate: auctionBidding.endsAt,
      plannedEnd: auctionProduct.endDate,
      latestEnd: auctionBidding.latestEnd,
      rules: auctionProduct.rules,
      state: auctionProduct.state,
      sale: latestSale,
      winnerId: auctionProduct.winnerId,
      winningBid: auctionProduct.winningBid,
      price: auctionBidding.price,
      highestBidderId: auctionBidding.highestBidderId,
      rows: auctionBidding.bidCount,
      bidCount: validBids,
      version: auctionBidding.version,
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .leftJoin(user, eq(user.id, auctionProduct.sellerId))
    .where(eq(auctionProduct.id, id))
    .prepare("product_facts")
    .execute();
  return row;
}

const readPictures = (db: Reader, productId: string): Promise<Picture[]> =>
  db
    .select({ id: auctionPicture.id, width: auctionPicture.width, height: auctionPicture.height })
    .from(auctionPicture)
    .where(eq(auctionPicture.productId, productId))
    .orderBy(asc(auctionPicture.position))
    .prepare("product_pictures")
    .execute();

/**
 * Reads bids of a product from a number downwards, with the bidder's name and account, null if the account is gone.
 */
export const readBids = (db: Reader, productId: string, from: number, limit: number = bidsPerPage) =>
  db
    .select({
      number: auctionBid.number,
      bidderId: auctionBid.bidderId,
      name: user.name,
      account: { role: user.role, status: user.status },
      amount: auctionBid.amount,
      kind: auctionBid.kind,
      at: auctionBid.createdAt,
      isWithdrawn,
      isSuperseded,
      reason: sql<string | null>`(select nullif(w.reason, '') from bid_withdrawal w
        where w.product_id = ${auctionBid.productId} and w.number = ${auctionBid.number})`,
    })
    .from(auctionBid)
    .leftJoin(user, eq(user.id, auctionBid.bidderId))
    .where(and(eq(auctionBid.productId, productId), lte(auctionBid.number, from)))
    .orderBy(desc(auctionBid.number))
    .limit(limit)
    .prepare("product_bids")
    .execute();

type BidRow = Awaited<ReturnType<typeof readBids>>[number];
/** `isSuperseded`: a later withdrawal has left the price below it. `reason`: an administrator's, for voided bids. */
type BidStatus = Pick<BidRow, "isWithdrawn" | "isSuperseded" | "reason">;
export type StoredBid = Omit<BidRow, "account" | keyof BidStatus>;

/** Returns the tag that replaces a bidder's id on one product's page: the same for all their bids there only. */
export type TagOf = (productId: string, bidderId: string) => string;

export function tagger(keys: Pick<Keys, "signer">): TagOf {
  const { sign } = keys.signer("bidderTag");
  return (productId, bidderId) => sign(`${productId} ${bidderId}`).toString("base64url").slice(0, 12);
}

/** Returns a bid as everyone sees it (docs/product.md, "Names"). */
export const shownBid = (
  tag: string,
  { number, name, amount, kind, at, ...bidStatus }: StoredBid & Partial<BidStatus>,
  counts: boolean,
): ShownBid => ({
  number,
  bidder: name === null ? "Former member" : maskName(name),
  tag,
  amount,
  automatic: kind === "auto",
  at: at.getTime(),
  ...(kind === "withdrawn" || kind === "voided"
    ? { counts: true, row: kind, ...(bidStatus.reason && { reason: bidStatus.reason }) }
    : { counts: counts && !voidOf(bidStatus), ...(voidOf(bidStatus) && { void: voidOf(bidStatus) }) }),
});

const voidOf = ({ isWithdrawn, isSuperseded }: Partial<BidStatus>): ShownBid["void"] =>
  isWithdrawn ? "withdrawn" : isSuperseded ? "superseded" : undefined;

export const shownBids = (
  product: Pick<ProductState, "state" | "winningBid">,
  bids: readonly BidRow[],
  tag: (bidderId: string) => string,
): ShownBid[] =>
  bids.map((bid) =>
    shownBid(tag(bid.bidderId), bid, bidCounts(product, { amount: bid.amount, bidder: bid.account })),
  );

/**
 * Reads a product as everyone sees it, field by field; null if it was removed or never existed. The result is as of one
 * moment: bids never change, and only those up to the number that was read first are used.
 */
export async function readProduct(db: Reader, id: string, tagOf: TagOf): Promise<ProductState | null> {
  const facts = await readFacts(db, id);
  if (!facts || facts.state === "removed") return null;
  const { state, seller, startingBid, price, bidCount, highestBidderId, winnerId } = facts;
  const [pictures, bids] = await Promise.all([readPictures(db, id), readBids(db, id, facts.rows)]);
  const tag = (bidderId: string) => tagOf(id, bidderId);
  return {
    id,
    version: facts.version,
    productName: facts.productName,
    description: facts.description,
    category: facts.category,
    subcategory: facts.subcategory,
    grade: facts.grade,
    handover: facts.handover,
    collectionPlace: facts.collectionPlace,
    courier: facts.courier,
    terms: facts.terms,
    formerId: facts.copiedFrom,
    additions: facts.additions,
    answered: facts.answered,
    seller: seller && {
      name: maskName(seller.name),
      since: seller.since.getTime(),
      sold: facts.sold,
      ...(facts.record.of >= recordFrom && { record: facts.record }),
    },
    startingBid,
    createdAt: facts.createdAt.getTime(),
    endDate: facts.endDate.getTime(),
    plannedEnd: facts.plannedEnd.getTime(),
    latestEnd: facts.latestEnd?.getTime() ?? null,
    rules: facts.rules,
    state,
    price,
    leastBid: leastBid({ highestBid: highestBidderId === null ? null : price, startingBid }),
    bidCount,
    leader: highestBidderId === null ? null : tag(highestBidderId),
    winner: winnerId === null ? null : tag(winnerId),
    winningBid: facts.winningBid,
    ...(facts.sale && { sale: facts.sale }),
    pictures,
    bids: shownBids({ state, winningBid: facts.winningBid }, bids, tag),
  };
}

type NewBids = { version: number; endDate: Date; added: readonly ShownBid[] };

/** Returns the product after more bids were accepted; `added` has the newest last. */
export function withBids(product: ProductState, { version, endDate, added }: NewBids): ProductState {
  const latest = added.at(-1);
  if (!latest) return product;
  return {
    ...product,
    version,
    endDate: endDate.getTime(),
    price: latest.amount,
    leastBid: leastBid({ highestBid: latest.amount, startingBid: product.startingBid }),
    bidCount: product.bidCount + added.length,
    leader: latest.tag,
    bids: [...added.toReversed(), ...product.bids].slice(0, bidsPerPage),
  };
}

/** Returns the versions of the products that exist. */
export async function readVersions(db: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: auctionBidding.productId, version: auctionBidding.version })
    .from(auctionBidding)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidding.productId))
    .where(
      and(
        sql`${auctionBidding.productId} = any(${sql.param([...ids])}::uuid[])`,
        ne(auctionProduct.state, "removed"),
      ),
    )
    .prepare("product_versions")
    .execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}

export const cardOf = (product: ProductState): CardState => ({
  id: product.id,
  version: product.version,
  state: product.state,
  price: product.winningBid ?? product.price,
  bidCount: product.bidCount,
  leader: product.leader,
  endDate: product.endDate,
});

/** Reads the cards of those products that were not removed. */
export async function readCards(db: Reader, ids: readonly string[], tagOf: TagOf): Promise<CardState[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({
      id: auctionBidding.productId,
      version: auctionBidding.version,
      state: auctionProduct.state,
      price: sql<number>`coalesce(${auctionProduct.winningBid}, ${auctionBidding.price})`.mapWith(Number),
      bidCount: validBids,
      leaderId: auctionBidding.highestBidderId,
      endDate: auctionBidding.endsAt,
    })
    .from(auctionBidding)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidding.productId))
    .where(sql`${auctionBidding.productId} = any(${sql.param([...ids])}::uuid[])`)
    .prepare("product_cards")
    .execute();
  return rows.flatMap(({ leaderId, state, endDate, ...row }) =>
    state === "removed"
      ? []
      : [
          {
            ...row,
            state,
            leader: leaderId === null ? null : tagOf(row.id, leaderId),
            endDate: endDate.getTime(),
          },
        ],
  );
}
