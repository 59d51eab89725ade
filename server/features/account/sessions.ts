import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { isInGoodStanding, type Standing } from "#domain/account.ts";
import type { Bus } from "#server/platform/bus.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import type { Live } from "#server/platform/live.ts";
import { session, user } from "./tables.ts";

/** What a request may know of who sends it without asking the database. */
export type Session = Standing & { id: string; userId: string; expiresAt: Date };
export type Sessions = ReturnType<typeof createSessions>;

/** Milliseconds for which a session is believed without asking again. */
const rememberFor = 30_000;
const mostRemembered = 10_000;

const news = z.object({ userId: z.string(), sessionId: z.string().optional(), ended: z.boolean() });
/** `ended`: all of the account's sessions have, or the one of `sessionId`. Otherwise its role, status or profile changed. */
export type AccountNews = z.infer<typeof news>;

type Dependencies = {
  database: Database;
  bus: Bus;
  live: Live;
  readCookie(header: string | null): string | null;
};

/**
 * Who is signed in. A session is remembered for a short while; sign-out and every change of an account make all
 * nodes forget it within a second (product decisions, "At once"), and a node whose event connection is down
 * believes nothing that it remembers.
 */
export function createSessions({ database, bus, live, readCookie }: Dependencies) {
  const remembered = new Map<string, { session: Session; until: number }>();
  /** Counts what was forgotten, so that an answer read before cannot be remembered after. */
  let forgotten = 0;

  const byToken = database.db
    .select({
      id: session.id,
      userId: user.id,
      expiresAt: session.expiresAt,
      role: user.role,
      status: user.status,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.token, sql.placeholder("token")), gt(session.expiresAt, sql`now()`)))
    .prepare("session_by_token");

  function remember(token: string, found: Session) {
    if (remembered.size >= mostRemembered) {
      const [oldest] = remembered.keys();
      if (oldest !== undefined) remembered.delete(oldest);
    }
    remembered.set(token, {
      session: found,
      until: Math.min(performance.now() + rememberFor, inProcessTime(found)),
    });
  }

  const inProcessTime = ({ expiresAt }: Session) => performance.now() + expiresAt.getTime() - Date.now();

  async function load(token: string): Promise<Session | null> {
    const before = forgotten;
    const [found] = await byToken.execute({ token });
    // Something was forgotten while the answer was on its way: it may have grown old.
    if (forgotten !== before) return await load(token);
    if (!found || !isInGoodStanding(found)) return null;
    remember(token, found);
    return found;
  }

  /** Whose session a Cookie header is; null for nobody's. */
  async function check(cookies: string | null): Promise<Session | null> {
    const token = readCookie(cookies);
    if (token === null) return null;
    const known = remembered.get(token);
    if (known && bus.isTrusted() && known.until > performance.now()) return known.session;
    return await load(token);
  }

  function forget({ userId, sessionId, ended }: AccountNews) {
    forgotten++;
    for (const [token, { session: at }] of remembered)
      if (at.userId === userId && (sessionId === undefined || at.id === sessionId)) remembered.delete(token);
    if (ended) live.signOut(userId, sessionId);
  }

  bus.subscribe("account", (payload) => {
    const about = news.parse(JSON.parse(payload));
    forget(about);
    if (!about.ended) live.deliver(`account:${about.userId}`, "{}");
  });
  bus.onGap(() => {
    forgotten++;
    remembered.clear();
  });

  /**
   * Announces changes of accounts to all nodes, if and when the transaction commits. Call `forget` with the same
   * news after the commit: this node must not wait for its own announcement.
   */
  async function announce(tx: Transaction, ...about: AccountNews[]): Promise<void> {
    const texts = about.map((each) => JSON.stringify(each));
    await bus.publish("account", texts, tx);
  }

  /** Deletes all sessions of the accounts and announces it. */
  async function endAll(tx: Transaction, ...userIds: string[]): Promise<AccountNews[]> {
    if (userIds.length > 0) await tx.delete(session).where(inArray(session.userId, userIds));
    const about = userIds.map((userId) => ({ userId, ended: true }));
    await announce(tx, ...about);
    return about;
  }

  return {
    check,
    announce,
    endAll,
    forget: (...about: AccountNews[]) => about.forEach(forget),
  };
}
