import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { AuctionState, Category, Grade, Remover } from "#domain/auction.ts";
import type { BidKind } from "#domain/bid.ts";
import { at, bytes, cents, tsvector } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/** Items are added one by one: a pending list of entries that are not in the index yet would slow down every search. */
const fastupdateOff = { fastupdate: false };

/**
 * The searchable text: the words of name, kind and description, stemmed and without accents (the configuration and
 * `search_text` are in the migration). Kind and grade are added for filters, with a slash, which no word contains.
 */
const searchable = sql`strip(to_tsvector('auction_search', search_text(product_name) || ' ' || category || ' ' || subcategory || ' ' || search_text(description)))
    || array_to_tsvector(array['/' || category || '/' || subcategory, '/' || grade])`;

/**
 * The words that name an item, for sorting by relevance: its kind, and its name without accessories ("Desk, with a hole
 * for a lamp", "Case for a phone"). Kind and grade are added as in `searchable`.
 */
const called = sql`strip(to_tsvector('auction_search', search_text(regexp_replace(product_name, '(.)([,;([]|\\m(with|without|for|fits)\\M).*$', '\\1', 'i')) || ' ' || category || ' ' || subcategory))
    || array_to_tsvector(array['/' || category || '/' || subcategory, '/' || grade])`;

/**
 * Auction products: the seller's description, and how the auction ended. Their bidding is stored separately in
 * `auction_bidding`, because a bid must not rewrite the indexes of this table.
 */
export const auctionProduct = pgTable(
  "auction_product",
  {
    id: uuid("id").primaryKey(),
    sellerId: text("seller_id").references(() => user.id, { onDelete: "set null" }),
    productName: text("product_name").notNull(),
    description: text("description").notNull(),
    startingBid: cents("starting_bid").notNull(),
    category: text("category").$type<Category>().notNull(),
    subcategory: text("subcategory").notNull(),
    grade: text("grade").$type<Grade>().notNull(),
    /** The place of collection or the way of delivery, in the seller's words; often empty. */
    handover: text("handover").notNull().default(""),
    /** The town of collection; empty if the item can't be collected. */
    collectionPlace: text("collection_place").notNull().default(""),
    /** The price of a courier; 0 if free, null if there is none. */
    courier: cents("courier_cents"),
    /** The ended product of the same seller that this one was copied from. */
    copiedFrom: uuid("copied_from"),
    createdAt: at("created_at").notNull().defaultNow(),
    /** The end that the seller chose; the auction ends at `auction_bidding.ends_at`. */
    endDate: at("end_date").notNull(),
    /** Whether late bids move the end (docs/product.md, "The end"). */
    softClose: boolean("soft_close").notNull().default(false),
    /** The version of /auction-rules that the item was listed under; 1 is from before limits and soft closes. */
    rules: integer("rules").notNull().default(1),
    /** The seller's tag in the item's history, unique to this item; null without a chained history. */
    sellerTag: text("seller_tag"),
    /** Changed only together with `auction_bidding.open`, under the lock of that row. */
    state: text("state").$type<AuctionState>().notNull().default("open"),
    /** The time of the settlement or the removal. */
    closedAt: at("closed_at"),
    removedBy: text("removed_by").$type<Remover>(),
    removalReason: text("removal_reason"),
    /** The buyer, with `winningBid` as the price: at the close, the highest bidder with access and their bid. */
    winnerId: text("winner_id").references(() => user.id, { onDelete: "set null" }),
    winningBid: cents("winning_bid"),
    search: tsvector("search").notNull().generatedAlwaysAs(searchable),
    called: tsvector("called").notNull().generatedAlwaysAs(called),
  },
  (table) => [
    index("auction_product_by_seller").on(table.sellerId, table.createdAt, table.id),
    index("auction_product_by_winner").on(table.winnerId),
    // Counts a seller's sales.
    index("auction_product_sold").on(table.sellerId).where(sql`state = 'sold'`),
    // /auctions reads each order for all products, and by category, subcategory and grade.
    // Lists by delivery fall back on these if few of the first products match.
    index("auction_product_collected").on(table.id).where(sql`state = 'open' and collection_place <> ''`),
    index("auction_product_couriered").on(table.id).where(sql`state = 'open' and courier_cents is not null`),
    index("auction_product_newest").on(table.createdAt, table.id, table.endDate).where(sql`state = 'open'`),
    index("auction_product_facets_newest")
      .on(table.category, table.subcategory, table.grade, table.createdAt, table.id, table.endDate)
      .where(sql`state = 'open'`),
    index("auction_product_search").using("gin", table.search).with(fastupdateOff).where(sql`state = 'open'`),
    index("auction_product_called").using("gin", table.called).with(fastupdateOff).where(sql`state = 'open'`),
    check("auction_product_state", sql`${table.state} in ('open', 'sold', 'unsold', 'removed')`),
    check(
      "auction_product_winning",
      sql`${table.state} <> 'sold' or (${table.winningBid} is not null and ${table.closedAt} is not null)`,
    ),
  ],
);

/** Every word of any product name so far, without accents, for matching misspellings. Bounded by the vocabulary. */
export const auctionWord = pgTable("auction_word", { word: text("word").primaryKey() }, (table) => [
  index("auction_word_similar").using("gin", sql`${table.word} gin_trgm_ops`).with(fastupdateOff),
]);

/** The behaviour of a transaction when another one has locked a product's bidding: leave the product out, or wait. */
export type LockMode = "skipLocked" | "wait";

/**
 * The current bidding on a product. Bids, the close and the removal of a product lock this row. `version` grows with
 * every change that its page shows.
 */
export const auctionBidding = pgTable(
  "auction_bidding",
  {
    productId: uuid("product_id")
      .primaryKey()
      .references(() => auctionProduct.id),
    open: boolean("open").notNull().default(true),
    /** The end of the auction. Only a transaction that has locked this row may move it. */
    endsAt: at("ends_at").notNull(),
    /** The highest bid, or the starting bid while there is none. */
    price: cents("price").notNull(),
    /** The leader; null while no bid counts. */
    highestBidderId: text("highest_bidder_id"),
    /**
     * The most that the leader agreed to pay. Only the leader may see it while it is above the price. Null if nobody
     * leads, or if a version without limits wrote the row.
     */
    leaderLimit: cents("leader_limit"),
    /** The latest moment to which late bids move the end; null where the end is fixed. */
    latestEnd: at("latest_end"),
    /** The hash of the latest bid in the chained history; null for items without one. */
    head: bytes("head"),
    /**
     * The number of the last bid that limit and head include. If it differs from `bid_count`, a node running a version
     * without limits has accepted bids since.
     */
    writtenTo: integer("written_to").notNull().default(0),
    /** The number of the last row of the history, in which withdrawals have rows too. */
    bidCount: integer("bid_count").notNull().default(0),
    /** Number of history rows that aren't valid bids: those crossed out by withdrawals, and the withdrawals' own. */
    uncounted: integer("uncounted").notNull().default(0),
    version: integer("version").notNull().default(1),
    /** Grows with every edit before the first bid, so that a bid can name the terms that it is for. */
    terms: integer("terms").notNull().default(1),
    // These columns are copied for the indexes of lists that are sorted by price or end.
    category: text("category").$type<Category>().notNull(),
    subcategory: text("subcategory").notNull(),
    grade: text("grade").$type<Grade>().notNull(),
  },
  (table) => [
    index("auction_bidding_price").on(table.price, table.productId).where(sql`open`),
    index("auction_bidding_facets_price")
      .on(table.category, table.subcategory, table.grade, table.price, table.productId)
      .where(sql`open`),
    index("auction_bidding_ending").on(table.endsAt, table.productId).where(sql`open`),
    index("auction_bidding_facets_ending")
      .on(table.category, table.subcategory, table.grade, table.endsAt, table.productId)
      .where(sql`open`),
  ],
);

/**
 * Every accepted bid, numbered within its product. There are no references to other tables: each row is written under
 * the lock of its product's bidding, and stays for the record when an account is deleted.
 */
export const auctionBid = pgTable(
  "auction_bid",
  {
    productId: uuid("product_id").notNull(),
    number: integer("number").notNull(),
    bidderId: text("bidder_id").notNull(),
    amount: cents("amount").notNull(),
    kind: text("kind").$type<BidKind>().notNull().default("bid"),
    /**
     * Chosen by the bidder's browser, so that a retry never bids twice; null for bids made by a limit against a rival.
     */
    idempotencyKey: uuid("idempotency_key"),
    /** The database's time under the lock. */
    createdAt: at("created_at").notNull(),
    /** The bidder's public tag, unique to this item. The hashes below cover it. */
    tag: text("tag"),
    /** The chained hash of this bid and all before it (docs/auctions.md, "Open books"). */
    hash: bytes("hash"),
    /** Commits the bidder to their limit without revealing it. */
    commitment: bytes("commitment"),
  },
  (table) => [
    primaryKey({ columns: [table.productId, table.number] }),
    uniqueIndex("auction_bid_idempotency").on(table.bidderId, table.idempotencyKey),
    // Bids are stored in the order of their time, so a few bytes for thousands of them suffice to find the latest.
    index("auction_bid_latest").using("brin", table.createdAt).with({ autosummarize: true }),
  ],
);

/**
 * Every accepted "Bid for me up to", with the limit that only its bidder may see. No other table has it, except for the
 * leader's current one in `auction_bidding`.
 */
export const auctionLimit = pgTable(
  "auction_limit",
  {
    bidderId: text("bidder_id").notNull(),
    idempotencyKey: uuid("idempotency_key").notNull(),
    productId: uuid("product_id").notNull(),
    /** The number of the bidder's public bid, or of the latest bid if they only moved their limit. */
    number: integer("number").notNull(),
    amount: cents("amount").notNull(),
    createdAt: at("created_at").notNull(),
    /** Opens the commitment of the public bid or of the receipt; null for items without a chained history. */
    salt: bytes("salt"),
    /** Orders the limits of an item, because a leader may move theirs twice at the same time. */
    sequence: bigint("sequence", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  },
  (table) => [
    primaryKey({ columns: [table.bidderId, table.idempotencyKey] }),
    index("auction_limit_of_product").on(table.productId, table.number),
  ],
);

/** The bidders of each product, once each, for My bids and for the recipients of a product's notifications. */
export const auctionBidder = pgTable(
  "auction_bidder",
  {
    productId: uuid("product_id").notNull(),
    bidderId: text("bidder_id").notNull(),
    /** The time of their first bid. */
    since: at("since").notNull(),
    /** Their latest public bid, which is their highest; never a limit. */
    amount: cents("amount").notNull(),
    number: integer("number").notNull(),
    /** Whether the answer to that bid already said that it was outbid, so that no notification is needed. */
    outbidAtOnce: boolean("outbid_at_once").notNull().default(false),
    /** Whether their bids were withdrawn or voided, without a new bid since. */
    withdrawn: boolean("withdrawn").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.productId, table.bidderId] }),
    // Neither amount nor number is indexed, so that a bid rewrites no index.
    index("auction_bidder_by_bidder").on(table.bidderId, table.since, table.productId),
  ],
);

/**
 * The last bid on a product of which its bidder was notified as outbid. Separate from `auction_bidder`, so that no bid
 * ever waits for notifications.
 */
export const auctionOutbid = pgTable(
  "auction_outbid",
  {
    productId: uuid("product_id").notNull(),
    bidderId: text("bidder_id").notNull(),
    number: integer("number").notNull(),
    /** The time of the last mail about it. */
    mailedAt: at("mailed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.productId, table.bidderId] })],
);

/** Pictures in the store, in every width. `productId` is null until the product is uploaded. */
export const auctionPicture = pgTable(
  "auction_picture",
  {
    id: uuid("id").primaryKey(),
    ownerId: text("owner_id").notNull(),
    productId: uuid("product_id").references(() => auctionProduct.id),
    position: integer("position").notNull().default(0),
    /** Pixels of the original, after it was turned upright. */
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
  },
  (table) => [
    index("auction_picture_of_product").on(table.productId, table.position),
    index("auction_picture_unused").on(table.createdAt).where(sql`product_id is null`),
  ],
);
