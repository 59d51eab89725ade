import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import type { Session } from "./sessions.ts";
import { session } from "./tables.ts";

/**
 * Seconds without use after which a session ends. The last use is written hourly, so it may end up to an hour earlier.
 */
export const idleLifetime = 14 * 24 * 60 * 60;

export const ago = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`;

/** Selects sessions that are neither expired nor unused for too long. */
export const isOpen = and(gt(session.expiresAt, sql`now()`), gt(session.updatedAt, ago(idleLifetime)));

/** Lists the sessions of this session's account, last used first. */
export const sessionsOf = async (db: Reader, { id, userId }: Session) =>
  await db
    .select({
      id: session.id,
      browser: session.userAgent,
      address: session.ipAddress,
      since: session.createdAt,
      lastUsed: session.updatedAt,
      current: sql<boolean>`${session.id} = ${id}`,
    })
    .from(session)
    .where(and(eq(session.userId, userId), isOpen))
    .orderBy(desc(session.updatedAt), session.id);
