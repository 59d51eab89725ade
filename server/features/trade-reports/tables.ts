import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ReportOutcome, ReportReason, ReportSubject } from "#domain/trade-report.ts";
import { at } from "#server/platform/columns.ts";

/**
 * Reports of items, of traders and of questions, for admins. No reference is a foreign key, because a report outlives
 * the item or question that it is about, and must not wait for their locks.
 */
export const auctionReport = pgTable(
  "auction_report",
  {
    id: uuid("id").primaryKey(),
    subject: text("subject").$type<ReportSubject>().notNull(),
    /** The item, or the one of the reported person or question. */
    productId: uuid("product_id").notNull(),
    questionId: uuid("question_id"),
    /** The account that it is about: the person's, the item's seller's, or the question's author's. */
    accountId: text("account_id"),
    reporterId: text("reporter_id").notNull(),
    reason: text("reason").$type<ReportReason>().notNull(),
    text: text("text").notNull(),
    at: at("at").notNull().defaultNow(),
    outcome: text("outcome").$type<ReportOutcome>(),
    answer: text("answer"),
    answeredBy: text("answered_by"),
    answeredAt: at("answered_at"),
  },
  (table) => [
    // One open report per person and subject.
    uniqueIndex("auction_report_once")
      .on(table.reporterId, table.subject, sql`coalesce(${table.questionId}, ${table.productId})`)
      .where(sql`answered_at is null`),
    index("auction_report_open").on(table.at, table.id).where(sql`answered_at is null`),
    index("auction_report_answered").on(table.answeredAt, table.id).where(sql`answered_at is not null`),
    index("auction_report_by").on(table.reporterId),
    index("auction_report_about").on(table.accountId),
    check(
      "auction_report_answer",
      sql`(${table.answeredAt} is null) = (${table.answer} is null) and (${table.answer} is null) = (${table.outcome} is null)`,
    ),
  ],
);
