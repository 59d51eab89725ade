import { eq, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Report } from "#contract/trade-reports.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { auctionQuestion } from "#server/features/auctions/selling/tables.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import {
  ascending,
  type Cursor,
  cursorForm,
  descending,
  paginate,
  writeCursor,
} from "#server/platform/keyset-list.ts";
import { auctionReport } from "./tables.ts";

export const reportCursor = cursorForm("time", "uuid");

const [account, reporter, admin] = [
  alias(user, "account_of_report"),
  alias(user, "reporter"),
  alias(user, "answerer"),
];

/** The lists of reports: the open ones oldest first, and the answered ones newest first. */
const lists = {
  open: {
    order: ascending(auctionReport.at, auctionReport.id),
    at: auctionReport.at,
    which: isNull(auctionReport.answeredAt),
  },
  answered: {
    order: descending(auctionReport.answeredAt, auctionReport.id),
    at: auctionReport.answeredAt,
    which: isNotNull(auctionReport.answeredAt),
  },
} as const;

/** Lists a page of the open or of the answered reports; `next` is null on the last page. */
export async function listReports(
  db: Reader,
  show: keyof typeof lists,
  cursor: Cursor | null,
  limit = adminRowsPerPage,
): Promise<{ reports: Report[]; next: string | null }> {
  const { order, at, which } = lists[show];
  const candidates = await db
    .select({
      report: auctionReport,
      key: at,
      product: { id: auctionProduct.id, name: auctionProduct.productName, state: auctionProduct.state },
      account: { id: account.id, name: account.name, email: account.email },
      reporter: { id: reporter.id, name: reporter.name, email: reporter.email },
      by: admin.name,
      question: {
        id: auctionQuestion.id,
        text: auctionQuestion.text,
        answer: auctionQuestion.answer,
        hiddenAt: auctionQuestion.hiddenAt,
      },
    })
    .from(auctionReport)
    .leftJoin(auctionProduct, eq(auctionProduct.id, auctionReport.productId))
    .leftJoin(auctionQuestion, eq(auctionQuestion.id, auctionReport.questionId))
    .leftJoin(account, eq(account.id, auctionReport.accountId))
    .leftJoin(reporter, eq(reporter.id, auctionReport.reporterId))
    .leftJoin(admin, eq(admin.id, auctionReport.answeredBy))
    .where(sql`${which} and ${order.after(cursor) ?? sql`true`}`)
    .orderBy(...order.by)
    .limit(limit + 1);
  const { rows, next } = paginate(candidates, limit, ({ key, report }) =>
    writeCursor([key ?? "", report.id]),
  );
  return {
    reports: rows.map(({ report, product, question, account: about, reporter: by, by: answerer }) => ({
      id: report.id,
      subject: report.subject,
      reason: report.reason,
      text: report.text,
      at: report.at,
      product,
      question: question && {
        id: question.id,
        text: question.text,
        answer: question.answer,
        isHidden: question.hiddenAt !== null,
      },
      account: about,
      reporter: by,
      answer:
        report.outcome !== null && report.answer !== null && report.answeredAt !== null
          ? {
              outcome: report.outcome,
              text: report.answer,
              at: report.answeredAt,
              by: answerer ?? "Somebody",
            }
          : null,
    })),
    next,
  };
}
