import { eq, inArray } from "drizzle-orm";
import { decideAnswer } from "#domain/question.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";
import { auctionQuestion } from "./tables.ts";

/** Keeps notifications of questions that the seller may still answer. */
export const openQuestions: NotificationCheck<"questionAsked"> = async (db, notifications) => {
  const rows = await db
    .select({
      id: auctionQuestion.id,
      answeredAt: auctionQuestion.answeredAt,
      hiddenAt: auctionQuestion.hiddenAt,
      sellerId: auctionProduct.sellerId,
      state: auctionProduct.state,
      endDate: auctionBidding.endsAt,
    })
    .from(auctionQuestion)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionQuestion.productId))
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionQuestion.productId))
    .where(
      inArray(
        auctionQuestion.id,
        notifications.flatMap(({ ids }) => ids?.questionId ?? []),
      ),
    );
  const now = await databaseTime(db);
  const questions = new Map(rows.map((row) => [row.id, row]));
  return notifications.filter(({ ids, userId }) => {
    const row = questions.get(ids?.questionId ?? "");
    if (!row) return false;
    const question = { isAnswered: row.answeredAt !== null, isHidden: row.hiddenAt !== null };
    return decideAnswer(row, question, row.sellerId === userId, now).kind === "allowed";
  });
};
