import { setTimeout } from "node:timers/promises";
import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { formatMoney } from "#domain/money.ts";
import { productPath } from "#protocol/addresses.ts";
import { user } from "#server/features/account/tables.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Transaction } from "#server/platform/database.ts";
import { requests } from "#server/platform/tracing.ts";
import type { Services } from "#server/services.ts";
import { auctionBid, auctionBidder, auctionBidding, auctionOutbid, auctionProduct } from "../tables.ts";

/** Number of products whose bidders one transaction notifies. */
const productBatchSize = 100;
/** Milliseconds between two batches: a first bid is announced immediately, a fast exchange once a second. */
const pause = 1_000;
/** Number of people that one transaction notifies, so that a crowd doesn't hold up bids. */
const recipientBatchSize = 50;

/**
 * Selects some of the people who were outbid on these open products since their latest bid and not yet notified. Those
 * who were outbid immediately know it from the answer to their bid. `account` is null if the person's account is gone.
 */
export const pendingOutbid = (tx: Transaction, productIds: readonly string[], limit: number) =>
  tx
    .select({
      productId: auctionBidder.productId,
      bidderId: auctionBidder.bidderId,
      number: auctionBidder.number,
      productName: auctionProduct.productName,
      price: auctionBidding.price,
      account: { role: user.role, status: user.status },
    })
    .from(auctionBidder)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionBidder.productId))
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidder.productId))
    .leftJoin(
      auctionOutbid,
      and(
        eq(auctionOutbid.productId, auctionBidder.productId),
        eq(auctionOutbid.bidderId, auctionBidder.bidderId),
      ),
    )
    .leftJoin(user, eq(user.id, auctionBidder.bidderId))
    .where(
      and(
        sql`${auctionBidder.productId} = any(${sql.param([...productIds])}::uuid[])`,
        eq(auctionBidding.open, true),
        lt(auctionBidder.number, auctionBidding.bidCount),
        eq(auctionBidder.outbidAtOnce, false),
        eq(auctionBidder.withdrawn, false),
        or(isNull(auctionOutbid.number), lt(auctionOutbid.number, auctionBidder.number)),
      ),
    )
    .orderBy(auctionBidder.productId, auctionBidder.bidderId)
    .limit(limit);

type Outbid = Awaited<ReturnType<typeof pendingOutbid>>[number];
type ClaimedOutbid = Outbid & { mail: boolean };

/**
 * Notifies people who were outbid on these products since their latest bid, each once: by the bell, and by mail if one
 * is due. Safe to repeat, and to run on several nodes concurrently. Returns whether more may be pending.
 */
export async function notifyOutbid(
  services: Pick<Services, "database" | "jobs" | "live">,
  productIds: readonly string[],
): Promise<boolean> {
  return await services.database.transaction(async (tx) => {
    const outbid = await pendingOutbid(tx, productIds, recipientBatchSize);
    if (outbid.length === 0) return false;
    const claimed = await claim(tx, outbid);
    const recipients = claimed.filter(({ account }) => account !== null && hasAccess(account));
    await notify(services, tx, ...recipients.map(notificationOfOutbid));
    return outbid.length === recipientBatchSize;
  });
}

const keyOf = ({ productId, bidderId }: { productId: string; bidderId: string }) =>
  `${productId} ${bidderId}`;

/**
 * Records the bid that each person is notified of, and returns those whom no other node has notified meanwhile. `mail`
 * says whether a mail is due: at most one per product and hour.
 */
async function claim(tx: Transaction, outbid: readonly Outbid[]): Promise<ClaimedOutbid[]> {
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

/** Returns the topic of a bidder's notifications about an item: one of its close or removal replaces the outbid one. */
export const bidTopic = (productId: string) => `outbid:${productId}`;

export const notificationOfOutbid = ({
  productId,
  bidderId,
  number,
  productName,
  price,
  mail,
}: Omit<ClaimedOutbid, "account">): NewNotification => ({
  userId: bidderId,
  kind: "outbid",
  eventKey: `outbid:${productId}:${number}`,
  topic: bidTopic(productId),
  about: { product: productName, price: formatMoney(price) },
  ids: { productId },
  path: productPath(productId),
  mail,
});

/**
 * Drops notifications for bidders who lead again and for auctions that have ended. An email dropped because its bidder
 * leads again doesn't count towards the hourly limit.
 */
export const stillOutbid: NotificationCheck<"outbid"> = async (tx, notifications, channel) => {
  const ids = notifications.flatMap((each) => each.ids?.productId ?? []);
  const bidderId = notifications[0]?.userId ?? "";
  const own = and(
    eq(auctionOutbid.bidderId, bidderId),
    sql`${auctionOutbid.productId} = any(${sql.param(ids)}::uuid[])`,
  );
  // The next claim waits until this is decided, so that it sees whether the hour's email was sent. A separate statement
  // reads the bidding, so that it sees what was committed while this one waited for a claim.
  await tx.select().from(auctionOutbid).where(own).orderBy(auctionOutbid.productId).for("update");
  const rows = await tx
    .select({
      id: auctionBidding.productId,
      open: auctionBidding.open,
      leader: auctionBidding.highestBidderId,
    })
    .from(auctionBidding)
    .where(sql`${auctionBidding.productId} = any(${sql.param(ids)}::uuid[])`);
  const led = rows.flatMap(({ id, open, leader }) => (open && leader === bidderId ? id : []));
  const outbid = new Set(rows.flatMap(({ id, open, leader }) => (open && leader !== bidderId ? id : [])));
  if (led.length > 0 && channel === "mail")
    await tx
      .update(auctionOutbid)
      .set({ mailedAt: new Date(0) })
      .where(and(own, sql`${auctionOutbid.productId} = any(${sql.param(led)}::uuid[])`));
  return notifications.filter((each) => !each.ids?.productId || outbid.has(each.ids.productId));
};

type Dependencies = Pick<Services, "database" | "jobs" | "live" | "log">;

/**
 * Notifies outbid bidders after the bid and outside its transaction, so that bids stay fast. A sweep of the database
 * finds those who were missed in a crash.
 */
export class OutbidNotifier {
  readonly #services: Dependencies;
  readonly #pending = new Set<string>();
  #isRunning = false;
  #batch: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(services: Dependencies) {
    this.#services = services;
  }

  /** Call this after the commit of bids for these products. */
  after(productIds: readonly string[]): void {
    for (const id of productIds) this.#pending.add(id);
    if (!this.#isRunning) void requests.exit(() => this.#run());
  }

  /**
   * Rechecks the products with bids in the last `seconds`, because the server that accepted those bids may have died
   * since.
   */
  async sweep(seconds: number): Promise<void> {
    const recently = await this.#services.database.db
      .selectDistinct({ id: auctionBid.productId })
      .from(auctionBid)
      .where(gt(auctionBid.createdAt, sql`now() - make_interval(secs => ${seconds})`));
    this.after(recently.map(({ id }) => id));
  }

  /** Lets the running batch finish. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#batch;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#pending.size > 0 && !this.#isStopped) {
      const ids = [...this.#pending].slice(0, productBatchSize);
      for (const id of ids) this.#pending.delete(id);
      this.#batch = this.#notify(ids);
      await this.#batch;
      await setTimeout(pause);
    }
    this.#isRunning = false;
  }

  /**
   * Notifies the bidders of all products together. If that fails, handles each product separately, so that one doesn't
   * hold up the others.
   */
  async #notify(ids: readonly string[]): Promise<void> {
    try {
      await this.#notifySome(ids);
    } catch (error) {
      this.#services.log.warn({ err: error, products: ids.length }, "outbid bidders could not be notified");
      if (ids.length > 1) await Promise.all(ids.map((id) => this.#notifySome([id]).catch(() => {})));
    }
  }

  /** Notifies some of the pending people; the others follow in a later batch. */
  async #notifySome(ids: readonly string[]): Promise<void> {
    if (await notifyOutbid(this.#services, ids)) for (const id of ids) this.#pending.add(id);
  }
}
