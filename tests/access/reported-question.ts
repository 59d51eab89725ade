import { eq } from "drizzle-orm";
import { auctionQuestion } from "#server/features/auctions/selling/tables.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import type { Thing } from "./thing.ts";

/** Returns further fields of a report of a question: the item that it is about. */
export async function reportedQuestion({ services: { database } }: Wayfare, { id }: Thing): Promise<object> {
  const [question] = await database.db
    .select({ productId: auctionQuestion.productId })
    .from(auctionQuestion)
    .where(eq(auctionQuestion.id, String(id)));
  if (!question) throw new Error("there is no such question");
  return { subject: "question", reason: "abuse", productId: question.productId };
}
