import { randomBytes, randomUUID } from "node:crypto";
import { and, desc, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { isInGoodStanding, type Standing } from "#domain/account.ts";
import type { Bus } from "#server/platform/bus.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import type { Live } from "#server/platform/live.ts";
import type { Identity } from "./identity.ts";
import { session, user } from "./tables.ts";

/** What a request may know of who sends it without asking the database. */
export type Session = Standing & { id: string; userId: string; expiresAt: Date };
export type Sessions = ReturnType<typeof createSessions>;

/** Milliseconds for which a session is believed without asking again. */
const rememberFor = 30_000;
const mostRemembered = 10_000;

const day = 24 * 60 * 60;
/** Seconds that a session lasts; an admin's ends with the browser too. */
const lifetime = { usual: 30 * day, brief: day };
/** Seconds without use after which it ends. The last use is written down hourly, so that it may be an hour less. */
export const idleLifetime = 14 * day;
const useWrittenEvery = 60 * 60;
/** Of one account; another one closes the oldest. */
const mostSessions = 20;

const news = z.object({ userId: z.string(), sessionId: z.string().optional(), ended: z.boolean() });
/** `ended`: all of the account's sessions have, or the one of `sessionId`. Otherwise its role, status or profile changed. */
export type AccountNews = z.infer<typeof news>;

type Dependencies = {
  database: Database;
  bus: Bus;
  live: Live;
  identity: Pick<Identity, "readCookie" | "sessionCookie">;
};

const ago = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`;

/**
 * Who is signed in. A session is remembered for a short while; sign-out and every change of an account make all
 * nodes forget it within a second, and a node whose event connection is down believes nothing that it remembers.
 */
export function createSessions({ database, bus, live, identity }: Dependencies) {
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
      useIsOld: sql<boolean>`${session.updatedAt} < ${ago(useWrittenEvery)}`,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(
      and(
        eq(session.token, sql.placeholder("token")),
        gt(session.expiresAt, sql`now()`),
        gt(session.updatedAt, ago(idleLifetime)),
      ),
    )
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
    const [row] = await byToken.execute({ token });
    // Something was forgotten while the answer was on its way: it may have grown old.
    if (forgotten !== before) return await load(token);
    if (!row || !isInGoodStanding(row)) return null;
    const { useIsOld, ...found } = row;
    remember(token, found);
    if (useIsOld)
      await database.db.update(session).set({ updatedAt: sql`now()` }).where(eq(session.id, found.id));
    return found;
  }

  /** Whose session a Cookie header is; null for nobody's. */
  async function check(cookies: string | null): Promise<Session | null> {
    const token = identity.readCookie(cookies);
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

  /** Deletes the account's oldest sessions beyond the most, in one order so that two logins can't block each other. */
  async function closeSurplus(tx: Transaction, userId: string, newest: string): Promise<AccountNews[]> {
    const surplus = tx
      .select({ id: session.id })
      .from(session)
      .where(and(eq(session.userId, userId), ne(session.id, newest)))
      .orderBy(desc(session.createdAt))
      .offset(mostSessions - 1);
    const locked = tx
      .select({ id: session.id })
      .from(session)
      .where(inArray(session.id, surplus))
      .orderBy(session.id)
      .for("update");
    const closed = await tx.delete(session).where(inArray(session.id, locked)).returning({ id: session.id });
    return closed.map(({ id }) => ({ userId, sessionId: id, ended: true }));
  }

  /**
   * Opens a session in the caller's transaction, in place of the `former` one of the same browser. Send the cookie,
   * and `forget` the news, only after the commit.
   */
  async function open(
    tx: Transaction,
    userId: string,
    { brief = false, former = null }: { brief?: boolean; former?: Session | null } = {},
  ): Promise<{ cookie: string; news: AccountNews[] }> {
    const [id, token] = [randomUUID(), randomBytes(32).toString("base64url")];
    const seconds = brief ? lifetime.brief : lifetime.usual;
    await tx.insert(session).values({ id, token, userId, expiresAt: new Date(Date.now() + seconds * 1000) });
    const news = await closeSurplus(tx, userId, id);
    await announce(tx, ...news);
    if (former) news.push(await end(tx, former));
    return { cookie: identity.sessionCookie(token, brief ? null : seconds), news };
  }

  /** Deletes one session and announces it. */
  async function end(tx: Transaction, { id, userId }: Session): Promise<AccountNews> {
    await tx.delete(session).where(eq(session.id, id));
    const news = { userId, sessionId: id, ended: true };
    await announce(tx, news);
    return news;
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
    open,
    end,
    announce,
    endAll,
    forget: (...about: AccountNews[]) => about.forEach(forget),
  };
}
