import { randomUUID } from "node:crypto";
import type { Cents } from "#domain/money.ts";
import type { Transaction } from "#server/platform/database.ts";
import { auctionLimit } from "../tables.ts";

/** The end of a limit whose owner is shut out; `number` is that of the history's latest row. */
type Stop = { productId: string; bidderId: string; number: number; price: Cents; at: Date };

/**
 * Saves that limits are as low as the price, as if their owners had stopped them: when bids are decided again after a
 * withdrawal, they stop there too.
 */
export async function saveStops(tx: Transaction, stops: readonly Stop[]): Promise<void> {
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
