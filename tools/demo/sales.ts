import {
  applySilence,
  decideSaleAct,
  newSale,
  type Sale,
  type SaleAct,
  type SaleChange,
  type SaleSide,
} from "#domain/sale.ts";
import { strikeEnds } from "#domain/strike.ts";
import { columnsOf } from "#server/features/auctions/sales/lock-sale.ts";
import type { sale, saleEvent, strike } from "#server/features/auctions/sales/tables.ts";
import type { Offer } from "./products.ts";
import { Random } from "./random.ts";
import { after, day, hour } from "./time.ts";

export type Sales = {
  sales: (typeof sale.$inferInsert)[];
  saleEvents: (typeof saleEvent.$inferInsert)[];
  strikes: (typeof strike.$inferInsert)[];
};

type Act = { side: SaleSide; act: SaleAct; at: Date };
const access = { seller: true, buyer: true };

/** Returns the acts after a sale: mostly both sides confirm the handover. */
function actsOf(random: Random, madeAt: Date): Act[] {
  const handedOverAt = after(madeAt, random.between(0.3, 5) * day);
  const reported = after(madeAt, random.between(3.1, 6) * day);
  const report = { side: "seller", act: { kind: "report", claim: "notPaid" }, at: reported } as const;
  if (random.chance(0.12)) return [report];
  if (random.chance(0.12))
    return [
      report,
      { side: "buyer", act: { kind: "answer", answer: "untrue" }, at: after(reported, 5 * hour) },
    ];
  const [first, second] = random.chance(0.5)
    ? (["seller", "buyer"] as const)
    : (["buyer", "seller"] as const);
  return [
    { side: first, act: { kind: "handOver" }, at: handedOverAt },
    { side: second, act: { kind: "handOver" }, at: after(handedOverAt, random.between(1, 40) * hour) },
  ];
}

/** Replays the acts after each sale until now, by the rules of the server. */
export function planSales(offers: readonly Offer[], now: Date): Sales {
  const random = new Random("sales");
  const planned: Sales = { sales: [], saleEvents: [], strikes: [] };
  for (const { product } of offers) {
    const { id: productId, sellerId, state, closedAt, winnerId, winningBid } = product;
    if (state !== "sold" || !closedAt || !winnerId || !winningBid) continue;
    const id = random.uuid();
    const events: (typeof saleEvent.$inferInsert)[] = [{ saleId: id, number: 1, kind: "made", at: closedAt }];
    let sale: Sale = newSale(closedAt);
    let changedAt = closedAt;
    const apply = ({ sale: after, event, strike }: SaleChange, at: Date, actorId: string | null) => {
      sale = after;
      changedAt = at;
      events.push({ saleId: id, number: events.length + 1, kind: event, actorId, at });
      if (strike === "buyer")
        planned.strikes.push({
          id: random.uuid(),
          accountId: winnerId,
          saleId: id,
          at,
          until: strikeEnds(at),
        });
    };
    const silence = (until: Date) => {
      const change = applySilence(sale, until, access);
      if (change && sale.dueAt) apply(change, sale.dueAt, null);
    };
    for (const { side, act, at } of actsOf(random, closedAt)) {
      if (at > now) break;
      silence(at);
      const outcome = decideSaleAct(sale, side, act, { now: at, access });
      if (outcome.kind === "changed") apply(outcome, at, side === "seller" ? (sellerId ?? null) : winnerId);
    }
    silence(now);
    planned.saleEvents.push(...events);
    planned.sales.push({
      id,
      productId,
      sellerId: sellerId ?? null,
      buyerId: winnerId,
      amount: winningBid,
      kind: "auction",
      madeAt: closedAt,
      ...columnsOf(sale, changedAt),
    });
  }
  return planned;
}
