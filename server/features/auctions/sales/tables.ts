import { sql } from "drizzle-orm";
import {
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
import type { WithdrawalForm } from "#domain/bid-withdrawal.ts";
import type {
  SaleAnswer,
  SaleClaim,
  SaleEvent,
  SaleKind,
  SaleReport,
  SaleSide,
  SaleState,
} from "#domain/sale.ts";
import type { SecondChanceState } from "#domain/second-chance.ts";
import { at, cents } from "#server/platform/columns.ts";
import { user } from "../../account/tables.ts";
import { auctionProduct } from "../tables.ts";

/**
 * Sales of products; a product has at most one that hasn't fallen through. Every change locks both accounts first, then
 * the sale. Only the seller, the buyer and admins see it.
 */
export const sale = pgTable(
  "sale",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    productId: uuid("product_id")
      .notNull()
      .references(() => auctionProduct.id),
    sellerId: text("seller_id").references(() => user.id, { onDelete: "set null" }),
    buyerId: text("buyer_id").references(() => user.id, { onDelete: "set null" }),
    amount: cents("amount").notNull(),
    kind: text("kind").$type<SaleKind>().notNull(),
    state: text("state").$type<SaleState>().notNull().default("awaiting"),
    madeAt: at("made_at").notNull(),
    /** The times at which each side confirmed the handover. */
    sellerSaidAt: at("seller_said_at"),
    buyerSaidAt: at("buyer_said_at"),
    /** The latest report. */
    reportedBy: text("reported_by").$type<SaleSide>(),
    claim: text("claim").$type<SaleClaim>(),
    reportedAt: at("reported_at"),
    answer: text("answer").$type<NonNullable<SaleReport["answer"]>>(),
    /** The answers that each side has used up. */
    sellerUsed: text("seller_used").array().$type<SaleAnswer[]>().notNull().default([]),
    buyerUsed: text("buyer_used").array().$type<SaleAnswer[]>().notNull().default([]),
    /** The deadline at which silence decides; null while nobody has to act. */
    dueAt: at("due_at"),
    fault: text("fault").$type<SaleSide>(),
    endedAt: at("ended_at"),
  },
  (table) => [
    uniqueIndex("sale_live").on(table.productId).where(sql`state <> 'fellThrough'`),
    index("sale_of_product").on(table.productId, table.madeAt),
    index("sale_by_seller").on(table.sellerId, table.madeAt),
    index("sale_by_buyer").on(table.buyerId, table.madeAt),
    index("sale_due").on(table.dueAt).where(sql`due_at is not null`),
    index("sale_disputed").on(table.reportedAt, table.id).where(sql`state = 'disputed'`),
    check("sale_state", sql`${table.state} in ('awaiting', 'handedOver', 'fellThrough', 'disputed')`),
  ],
);

/** Events of a sale. Rows are only added. `actorId` is null where silence decided. */
export const saleEvent = pgTable(
  "sale_event",
  {
    saleId: uuid("sale_id")
      .notNull()
      .references(() => sale.id),
    number: integer("number").notNull(),
    actorId: text("actor_id"),
    kind: text("kind").$type<SaleEvent>().notNull(),
    /** The claim, the answer, or an administrator's reason, which both sides see. */
    reason: text("reason").notNull().default(""),
    at: at("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.saleId, table.number] })],
);

/** Strikes for sales that fell through and for false reports. Their account and admins see them. */
export const strike = pgTable(
  "strike",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    accountId: text("account_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    saleId: uuid("sale_id")
      .notNull()
      .references(() => sale.id),
    at: at("at").notNull(),
    until: at("until").notNull(),
    liftedBy: text("lifted_by"),
    liftedAt: at("lifted_at"),
    /** An administrator's reason for lifting it. */
    reason: text("reason").notNull().default(""),
  },
  (table) => [
    // One per sale and account.
    uniqueIndex("strike_of_sale").on(table.accountId, table.saleId),
  ],
);

/**
 * The time until which strikes bar an account from bidding and selling, stored in addition to them, so that a bid reads
 * one row by its key.
 */
export const tradingBar = pgTable("trading_bar", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => user.id, { onDelete: "cascade" }),
  until: at("until").notNull(),
});

/** Offers of a product to an outbid bidder after its sale fell through. */
export const secondChance = pgTable(
  "second_chance",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    productId: uuid("product_id")
      .notNull()
      .references(() => auctionProduct.id),
    bidderId: text("bidder_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    amount: cents("amount").notNull(),
    until: at("until").notNull(),
    state: text("state").$type<SecondChanceState>().notNull().default("open"),
    at: at("at").notNull(),
  },
  (table) => [
    uniqueIndex("second_chance_open").on(table.productId).where(sql`state = 'open'`),
    uniqueIndex("second_chance_once").on(table.productId, table.bidderId),
    index("second_chance_by_bidder").on(table.bidderId, table.at),
    index("second_chance_due").on(table.until).where(sql`state = 'open'`),
  ],
);

/** Accounts that have opted out of second chances. */
export const noSecondChances = pgTable("no_second_chances", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => user.id, { onDelete: "cascade" }),
});

/**
 * Withdrawn or voided bids: all of this bidder's bids on this product up to row `number` of the history. Like bids,
 * these rows stay for the record.
 */
export const bidWithdrawal = pgTable(
  "bid_withdrawal",
  {
    productId: uuid("product_id").notNull(),
    number: integer("number").notNull(),
    bidderId: text("bidder_id").notNull(),
    form: text("form").$type<WithdrawalForm>().notNull(),
    /** The amount that the bidder meant, after a slip. */
    intendedAmount: cents("intended_amount"),
    /** An administrator's reason, which everyone sees. */
    reason: text("reason").notNull().default(""),
    at: at("at").notNull(),
    by: text("by").notNull(),
    /** Whether it moved the auction's end, which happens at most once. */
    movedEnd: boolean("moved_end").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.productId, table.number] }),
    index("bid_withdrawal_by_bidder").on(table.bidderId, table.at),
  ],
);

/** Sellers' requests that an administrator void a bidder's bids. */
export const voidRequest = pgTable(
  "void_request",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    productId: uuid("product_id")
      .notNull()
      .references(() => auctionProduct.id),
    bidderId: text("bidder_id")
      .notNull()
      .references(() => user.id),
    reason: text("reason").notNull(),
    at: at("at").notNull(),
    closedAt: at("closed_at"),
  },
  (table) => [
    uniqueIndex("void_request_open").on(table.productId, table.bidderId).where(sql`closed_at is null`),
    index("void_request_waiting").on(table.at, table.id).where(sql`closed_at is null`),
  ],
);
