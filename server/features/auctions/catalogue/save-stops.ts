import { randomUUID } from "node:crypto";
import type { Cents } from "#domain/money.ts";
import type { Transaction } from "#server/platform/database.ts";
import { auctionLimit } from "../tables.ts";

/** The end of a limit whose owner is shut out; `number` is the number of the history's latest row. */
type Stop = { productId: string; bidderId: string; number: number; price: Cents; at: Date };

/**
 * Records limits as lowered to the price, as if their owners had stopped them, so that they also stop there when bids
 * are replayed after a withdrawal.
 */
export async function saveStoppedLimits(tx: Transaction, stops: readonly Stop[]): Promise<void> {
  if (stops.length === 0) return;
  await tx.insert(auctionLimit).values(
    stops.map(({ productId, bidderId, number, price, at }) => ({
      productId,
      bidderId,
      number,
      amount: price,
      createdAt: at,
      idempotencyKey: randomUUID(),
    })),
  );
}
