import { lt, or } from "drizzle-orm";
import { briefLimit, rateLimit, verification } from "#server/features/account/tables.ts";
import type { Services } from "#server/services.ts";
import { idleLifetime } from "./open-sessions.ts";
import { session } from "./tables.ts";

/** Deletes expired sessions, links and counted attempts. */
export async function tidyUp(
  { database: { db } }: Pick<Services, "database">,
  now = new Date(),
): Promise<void> {
  const lastUse = new Date(now.getTime() - idleLifetime * 1000);
  await db.delete(session).where(or(lt(session.expiresAt, now), lt(session.updatedAt, lastUse)));
  await db.delete(verification).where(lt(verification.expiresAt, now));
  for (const counters of [rateLimit, briefLimit])
    await db.delete(counters).where(lt(counters.expire, now.getTime()));
}
