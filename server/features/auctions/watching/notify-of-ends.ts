import { and, eq, inArray, sql } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { decideEnding, reminderLead } from "#domain/watching.ts";
import { productPath } from "#protocol/addresses.ts";
import { user } from "#server/features/account/tables.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";
import { auctionWatch } from "./tables.ts";

const batchSize = 500;

type Parts = Pick<Services, "database" | "jobs" | "live">;

/**
 * Notifies watchers of auctions that end within the hour, each once. Reads the current ends, so that nothing has to be
 * rescheduled when an end moves. Safe to run on several nodes concurrently: each skips rows that another has locked.
 */
export async function notifyOfEnds(services: Parts): Promise<void> {
  let count = batchSize;
  while (count === batchSize) count = await services.database.transaction((tx) => notifySome(services, tx));
}

/** Selects and locks the watchers of auctions that end within the hour who are neither notified nor skipped yet. */
const candidates = (tx: Transaction) =>
  tx
    .select({
      userId: auctionWatch.userId,
      productId: auctionWatch.productId,
      watchedAt: auctionWatch.at,
      toldFor: auctionWatch.toldFor,
      endsAt: auctionBidding.endsAt,
      leads: sql<boolean>`${auctionBidding.highestBidderId} is not distinct from ${auctionWatch.userId}`,
      productName: auctionProduct.productName,
      now: sql<Date>`now()`.mapWith(auctionBidding.endsAt),
    })
    .from(auctionWatch)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionWatch.productId))
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionWatch.productId))
    .where(
      and(
        sql`${auctionBidding.open}`,
        sql`${auctionBidding.endsAt} > now()`,
        sql`${auctionBidding.endsAt} <= now() + make_interval(secs => ${reminderLead / 1000})`,
        sql`${auctionWatch.toldFor} is null`,
        sql`${auctionWatch.at} <= ${auctionBidding.endsAt} - make_interval(secs => ${reminderLead / 1000})`,
      ),
    )
    .orderBy(auctionWatch.productId, auctionWatch.userId)
    .limit(batchSize)
    .for("update", { of: auctionWatch, skipLocked: true });

type Candidate = Awaited<ReturnType<typeof candidates>>[number];

async function notifySome(services: Parts, tx: Transaction): Promise<number> {
  const watchers = await candidates(tx);
  const endings = watchers.map((watcher) => ({ watcher, outcome: decideEnding(watcher, watcher.now) }));
  const handled = endings.filter(({ outcome }) => outcome !== "wait").map(({ watcher }) => watcher);
  if (handled.length === 0) return 0;
  await claim(tx, handled);
  const reminded = endings.filter(({ outcome }) => outcome === "tell").map(({ watcher }) => watcher);
  const recipients = await usersWithAccess(
    tx,
    reminded.map(({ userId }) => userId),
  );
  await notify(
    services,
    tx,
    ...reminded.filter(({ userId }) => recipients.has(userId)).map(notificationOfEnd),
  );
  return watchers.length;
}

/** Records the end about which each watcher was notified or skipped. */
async function claim(tx: Transaction, watchers: readonly Candidate[]): Promise<void> {
  const column = (valueOf: (watcher: Candidate) => string) => sql.param(watchers.map(valueOf));
  await tx
    .update(auctionWatch)
    .set({ toldFor: sql`told.ends_at` })
    .from(
      sql`unnest(${column(({ userId }) => userId)}::text[], ${column(({ productId }) => productId)}::uuid[],
        ${column(({ endsAt }) => endsAt.toISOString())}::timestamptz[]) as told (user_id, product_id, ends_at)`,
    )
    .where(and(eq(auctionWatch.userId, sql`told.user_id`), eq(auctionWatch.productId, sql`told.product_id`)));
}

/** Returns the users whose accounts have access. */
export async function usersWithAccess(tx: Transaction, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await tx
    .select({ id: user.id, role: user.role, status: user.status })
    .from(user)
    .where(inArray(user.id, [...new Set(userIds)]));
  return new Set(rows.filter(hasAccess).map(({ id }) => id));
}

const notificationOfEnd = ({ userId, productId, productName }: Candidate): NewNotification => ({
  userId,
  kind: "watchedEnding",
  eventKey: `ending:${productId}`,
  topic: `ending:${productId}`,
  about: { product: productName },
  ids: { productId },
  path: productPath(productId),
});

/**
 * Drops notifications of ends that have moved out of the hour or are over, and for those who lead or no longer watch.
 */
export const stillEnding: NotificationCheck<"watchedEnding"> = async (tx, notifications) => {
  const ids = notifications.flatMap(({ ids }) => ids?.productId ?? []);
  const watcherId = notifications[0]?.userId ?? "";
  const rows = await tx
    .select({ id: auctionBidding.productId })
    .from(auctionBidding)
    .innerJoin(
      auctionWatch,
      and(eq(auctionWatch.productId, auctionBidding.productId), eq(auctionWatch.userId, watcherId)),
    )
    .where(
      and(
        sql`${auctionBidding.productId} = any(${sql.param(ids)}::uuid[])`,
        sql`${auctionBidding.open}`,
        sql`${auctionBidding.endsAt} > now()`,
        sql`${auctionBidding.endsAt} <= now() + make_interval(secs => ${reminderLead / 1000})`,
        sql`${auctionBidding.highestBidderId} is distinct from ${watcherId}`,
      ),
    );
  const ending = new Set(rows.map(({ id }) => id));
  return notifications.filter(({ ids }) => ending.has(ids?.productId ?? ""));
};
