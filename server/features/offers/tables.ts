import { bigint, date, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { Currency } from "#domain/currency.ts";
import type { ConditionKind, ConditionState, OfferRank } from "#domain/offer.ts";
import { at } from "#server/platform/columns.ts";
import { application } from "../applications/tables.ts";
import { deadlineColumns } from "../planner/deadline-columns.ts";

/**
 * The details of an application's offer, due at the student's reply-by time. The application's state says whether it is
 * conditional and still open. Its letter is the stored file with this purpose and record id.
 */
export const offer = pgTable(
  "offer",
  {
    id: text("id").primaryKey(),
    applicationId: text("application_id")
      .notNull()
      .unique()
      .references(() => application.id),
    ...deadlineColumns(),
    startDate: date("start_date", { mode: "string" }),
    /** Chosen by the student. */
    rank: text("rank").$type<OfferRank>(),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [index().on(table.dueAt)],
);

/** The conditions of an offer, in the order of `place`. */
export const offerCondition = pgTable(
  "offer_condition",
  {
    id: text("id").primaryKey(),
    offerId: text("offer_id")
      .notNull()
      .references(() => offer.id, { onDelete: "cascade" }),
    place: integer("place").notNull(),
    text: text("text").notNull(),
    kind: text("kind").$type<ConditionKind>().notNull(),
    ...deadlineColumns(),
    state: text("state").$type<ConditionState>().notNull().default("open"),
    /** The student's note with the claim that it is met. */
    claim: text("claim").notNull().default(""),
    /** Why it was waived or sent back. */
    reason: text("reason").notNull().default(""),
    markedBy: text("marked_by"),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [index().on(table.offerId, table.place)],
);

/** The deposit that secures the place, and when it is due. Its id is the offer's. */
export const offerDeposit = pgTable("offer_deposit", {
  id: text("id")
    .primaryKey()
    .references(() => offer.id, { onDelete: "cascade" }),
  /** In the currency's smallest unit. */
  amount: bigint("amount", { mode: "number" }).notNull(),
  currency: text("currency").$type<Currency>().notNull(),
  ...deadlineColumns(),
  /** The day of payment as entered by staff; null while unpaid. */
  paidOn: date("paid_on", { mode: "string" }),
  /** The account that entered it. Has no foreign key, because the mark outlives the account. */
  paidMarkedBy: text("paid_marked_by"),
});

/**
 * Records which audience was notified that a reply is overdue, once per reply-by moment. Apart from
 * `renewOfferDeadlines`, scheduled jobs write nothing else about offers.
 */
export const offerOverdue = pgTable(
  "offer_overdue",
  {
    offerId: text("offer_id")
      .notNull()
      .references(() => offer.id, { onDelete: "cascade" }),
    dueAt: at("due_at").notNull(),
    audience: text("audience").$type<"people" | "admins">().notNull(),
    toldAt: at("told_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.offerId, table.dueAt, table.audience] })],
);
