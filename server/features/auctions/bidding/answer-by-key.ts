import type { Services } from "#server/services.ts";
import { signReceipts } from "../history/receipts.ts";
import { type AttemptKey, look } from "./lookup.ts";

/** Returns the current answer to a bidder's bid with this key; null if there is no such bid. */
export async function answerByKey(
  { database, products, signReceipt }: Pick<Services, "database" | "products" | "signReceipt">,
  attempt: AttemptKey,
) {
  const { repeats } = await look(database.pool, [attempt], products.tagOf);
  const [bid] = repeats;
  if (!bid) return null;
  const [receipt = null] = signReceipts([bid.receipt], signReceipt);
  const { number, amount, at, isLeading: leading, least } = bid;
  return { number, amount, at, leading, least, receipt };
}
