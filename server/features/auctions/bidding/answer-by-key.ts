import type { Services } from "#server/services.ts";
import { signReceipts } from "../history/receipts.ts";
import { type AttemptKey, look } from "./lookup.ts";

/** Returns the answer to somebody's bid by the key that it was sent under, as of this moment; null for no such bid. */
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
