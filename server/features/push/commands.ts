import { and, desc, eq, inArray, lt, notInArray, or } from "drizzle-orm";
import type { BrowserSubscription } from "#contract/push.ts";
import type { NotificationKind } from "#domain/notification.ts";
import { acceptsEndpoint, failingPushDays, mostPushSubscriptions } from "#domain/push.ts";
import { lockInSession } from "#server/features/sessions/lock-holder.ts";
import type { SessionActor } from "#server/features/sessions/sessions.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { mutedPush, pushSubscription } from "./tables.ts";

/** Unknown, private and unreachable services get the same message, so that it reveals nothing about our network. */
const unusable = "Your browser's notification service can't be reached.";

/** Refuses a subscription to which nothing could be sent. */
async function checkSubscription(
  { environment, outbound, pushKeys }: Services,
  { endpoint, p256dh, serverKey }: BrowserSubscription,
): Promise<void> {
  if (!acceptsEndpoint(endpoint, environment.webhooksAllowPrivate) || !pushKeys.isPoint(p256dh))
    throw new Refusal("invalid-argument", { message: unusable });
  if (!pushKeys.publicKeys.includes(serverKey)) throw Refusal.conflict();
  if (!(await outbound.mayReach(endpoint))) throw new Refusal("invalid-argument", { message: unusable });
}

/** Subscribes a browser in the actor's session. An endpoint belongs to the user who subscribed last in that browser. */
export async function subscribe(
  services: Services,
  actor: SessionActor,
  subscription: BrowserSubscription,
): Promise<void> {
  await checkSubscription(services, subscription);
  await services.database.transaction(async (tx) => {
    await lockInSession(tx, actor);
    await save(tx, actor, subscription);
  });
}

/** Replaces a former subscription of the same person; resolves to whether that one still existed. */
export async function renew(
  services: Services,
  actor: SessionActor,
  { former, ...subscription }: BrowserSubscription & { former: string },
): Promise<boolean> {
  await checkSubscription(services, subscription);
  return await services.database.transaction(async (tx) => {
    await lockInSession(tx, actor);
    if ((await end(tx, actor.userId, former)) === 0) return false;
    await save(tx, actor, subscription);
    return true;
  });
}

/** Saves a subscription while the account is locked, and ends the account's oldest ones beyond the limit. */
async function save(
  tx: Transaction,
  { userId, session }: SessionActor,
  { endpoint, ...keys }: BrowserSubscription,
): Promise<void> {
  const values = { ...keys, userId, sessionId: session.id, madeAt: new Date(), failedAt: null };
  await tx
    .insert(pushSubscription)
    .values({ ...values, endpoint })
    .onConflictDoUpdate({ target: pushSubscription.endpoint, set: values });
  const surplus = tx
    .select({ id: pushSubscription.id })
    .from(pushSubscription)
    .where(eq(pushSubscription.userId, userId))
    .orderBy(desc(pushSubscription.madeAt), desc(pushSubscription.id))
    .offset(mostPushSubscriptions);
  await tx.delete(pushSubscription).where(inArray(pushSubscription.id, surplus));
}

async function end(db: Pick<Transaction, "delete">, userId: string, endpoint: string): Promise<number> {
  const ended = await db
    .delete(pushSubscription)
    .where(and(eq(pushSubscription.userId, userId), eq(pushSubscription.endpoint, endpoint)))
    .returning({ id: pushSubscription.id });
  return ended.length;
}

/** Ends a user's own subscription. Ending it again is not an error. */
export async function unsubscribe({ database }: Services, userId: string, endpoint: string): Promise<void> {
  await end(database.db, userId, endpoint);
}

/** Switches a kind of push on or off for one person, on all of their devices. */
export async function setPushSwitch(
  { database }: Services,
  userId: string,
  kind: NotificationKind,
  on: boolean,
): Promise<void> {
  if (on)
    await database.db.delete(mutedPush).where(and(eq(mutedPush.userId, userId), eq(mutedPush.kind, kind)));
  else await database.db.insert(mutedPush).values({ userId, kind }).onConflictDoNothing();
}

const day = 24 * 3_600_000;

/** Deletes subscriptions that have failed for days, and those for a key that is gone. */
export async function tidySubscriptions(
  { database, pushKeys }: Pick<Services, "database" | "pushKeys">,
  now = new Date(),
): Promise<void> {
  const failing = lt(pushSubscription.failedAt, new Date(now.getTime() - failingPushDays * day));
  const lost = notInArray(pushSubscription.serverKey, pushKeys.publicKeys);
  await database.db.delete(pushSubscription).where(or(failing, lost));
}
