import { and, eq } from "drizzle-orm";
import type { Role } from "#domain/account.ts";
import { pushKindsOf } from "#domain/push.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { mutedPush, pushSubscription } from "./tables.ts";

/** Whether the browser with this endpoint is subscribed in this session. */
export async function isSubscribed(db: Reader, { id, userId }: Session, endpoint: string): Promise<boolean> {
  const own = and(
    eq(pushSubscription.endpoint, endpoint),
    eq(pushSubscription.userId, userId),
    eq(pushSubscription.sessionId, id),
  );
  return (await db.$count(pushSubscription, own)) > 0;
}

/** Returns the kinds of push for a user's role, and whether each is switched on. */
export async function pushSwitchesOf(db: Reader, userId: string, role: Role) {
  const muted = await db.select({ kind: mutedPush.kind }).from(mutedPush).where(eq(mutedPush.userId, userId));
  return pushKindsOf(role).map((kind) => ({ kind, on: muted.every((each) => each.kind !== kind) }));
}
