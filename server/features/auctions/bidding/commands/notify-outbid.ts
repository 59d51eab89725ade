import { sql } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { formatMoney } from "#domain/money.ts";
import { productPath } from "#protocol/addresses.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionOutbid } from "../../tables.ts";
import { pendingOutbid } from "../queries/pending-outbid.ts";

/** People notified in one transaction: a crowd has to wait its turn, rather than hold up the bids. */
const batchSize = 50;

type Outbid = Awaited<ReturnType<typeof pendingOutbid>>[number];
type Claimed = Outbid & { mail: boolean };

/**
 * Notifies those who were outbid on these products since their latest bid, each once: by the bell, and by mail if that is
 * due. Can be called again, and on several nodes at once. Returns whether there may be more.
 */
export async function notifyOutbid(
  services: Pick<Services, "database" | "jobs" | "live">,
  productIds: readonly string[],
): Promise<boolean> {
  return await services.database.transaction(async (tx) => {
    const outbid = await pendingOutbid(tx, productIds, batchSize);
    if (outbid.length === 0) return false;
    const claimed = await claim(tx, outbid);
    await notify(services, tx, ...claimed.filter(isReached).map(newsOfOutbid));
    return outbid.length === batchSize;
  });
}

const keyOf = ({ productId, bidderId }: { productId: string; bidderId: string }) =>
  `${productId} ${bidderId}`;

/**
 * Records who is notified of which bid, and keeps those whom no other node has notified meanwhile. At most one mail a
 * product and hour: `mail` is whether this is the one.
 */
async function claim(tx: Transaction, outbid: readonly Outbid[]): Promise<Claimed[]> {
  const rows = outbid.map(({ productId, bidderId, number }) => ({
    productId,
    bidderId,
    number,
    mailedAt: sql`now()`,
  }));
  const mailed = auctionOutbid.mailedAt;
  const claimed = await tx
    .insert(auctionOutbid)
    .values(rows)
    .onConflictDoUpdate({
      target: [auctionOutbid.productId, auctionOutbid.bidderId],
      set: {
        number: sql`excluded.number`,
        mailedAt: sql`case when ${mailed} <= now() - interval '1 hour' then excluded.mailed_at else ${mailed} end`,
      },
      setWhere: sql`${auctionOutbid.number} < excluded.number`,
    })
    .returning({
      productId: auctionOutbid.productId,
      bidderId: auctionOutbid.bidderId,
      mail: sql<boolean>`${mailed} = now()::timestamptz(3)`,
    });
  const mails = new Map(claimed.map((row) => [keyOf(row), row.mail]));
  return outbid.flatMap((row) => {
    const mail = mails.get(keyOf(row));
    return mail === undefined ? [] : [{ ...row, mail }];
  });
}

/** Nobody is notified whose account is lost. */
const isReached = ({ role, status }: Outbid): boolean =>
  role !== null && status !== null && hasAccess({ role, status });

export const newsOfOutbid = ({
  productId,
  bidderId,
  number,
  productName,
  price,
  mail,
}: Omit<Claimed, "role" | "status">): News => ({
  userId: bidderId,
  kind: "outbid",
  eventKey: `outbid:${productId}:${number}`,
  topic: `outbid:${productId}`,
  about: { product: productName, price: formatMoney(price) },
  ids: { productId },
  path: productPath(productId),
  mail,
});
