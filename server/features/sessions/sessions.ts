import { createHash, randomBytes, randomUUID } from "node:crypto";
import { and, desc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type AccountStatus, hasAccess, type Role } from "#domain/account.ts";
import { deleteRequestedEmail } from "#server/features/account/requested-email.ts";
import { user } from "#server/features/account/tables.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Bus } from "#server/platform/bus.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import type { Environment } from "#server/platform/environment.ts";
import type { Live } from "#server/platform/live.ts";
import { ago, isOpen } from "./open-sessions.ts";
import type { SignedCookies } from "./signed-cookies.ts";
import { session } from "./tables.ts";

/** The facts about the sender of a request that are known without querying the database. */
export type Session = AccountStatus & {
  id: string;
  userId: string;
  expiresAt: Date;
  /** The last time its holder proved their identity, by logging in or by `prove`. */
  provedAt: Date;
  /** Whether a second factor was proved in this session. */
  twoStep: boolean;
  /**
   * Whether its holder must have a second factor that was not proved in this session: until then they may only prove or
   * set up one.
   */
  lacksSecondFactor: boolean;
};

/** An actor with the session that they act in. */
export type SessionActor = Actor & { session: Pick<Session, "id" | "userId"> };

/** Milliseconds for which a cached session is used without querying the database again. */
const cacheLifetime = 30_000;
const maxCached = 10_000;

const day = 24 * 60 * 60;
/** Seconds that a session lasts. An admin's also ends with the browser. */
const lifetime = { usual: 30 * day, short: day };
const useWriteInterval = 60 * 60;
/** Maximum number of sessions of one account. Another one closes the oldest. */
const maxSessions = 20;

/** The origin of a new session, and the browser's previous session. */
type SessionOrigin = { address: string; browser: string | null; session: Session | null };

const accountChange = z.object({ userId: z.string(), sessionId: z.string().optional(), ended: z.boolean() });
/**
 * `ended` means that the session `sessionId` has ended, or without it all sessions of the account. Otherwise their
 * cached facts have changed.
 */
type AccountChange = z.infer<typeof accountChange>;

type Dependencies = {
  database: Database;
  bus: Bus;
  live: Live;
  signedCookies: Pick<SignedCookies, "readCookie" | "sessionCookie">;
  apiKeySessions: { revokeAll(tx: Transaction, userId: string): Promise<number> };
  endCalendar: (tx: Transaction, userId: string) => Promise<unknown>;
  secondFactorRequired: Environment["secondFactorRequired"];
};

/** Hashes a token for the database, so that nobody who reads it can take over a session. */
const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

/**
 * Creates the sessions of signed-in users. A session is cached for a short time. A sign-out and every change of an
 * account evict it from all nodes within a second, and a node whose event connection is down does not use its cache.
 */
export function createSessions({
  database,
  bus,
  live,
  signedCookies,
  apiKeySessions,
  endCalendar,
  secondFactorRequired,
}: Dependencies) {
  const cached = new LRUCache<string, { session: Session; until: number }>({ max: maxCached });
  /** The number of evictions so far, so that a row read before an eviction is not cached after it. */
  let evictions = 0;

  const byToken = database.db
    .select({
      id: session.id,
      userId: user.id,
      expiresAt: session.expiresAt,
      provedAt: session.provedAt,
      role: user.role,
      status: user.status,
      twoStep: session.twoStep,
      useIsOld: sql<boolean>`${session.updatedAt} < ${ago(useWriteInterval)}`,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.token, sql.placeholder("token")), isOpen))
    .prepare("session_by_token");

  /** Whether a session of this role still needs the proof of a second factor. */
  const lacksSecondFactor = (role: Role, twoStep: boolean) => !twoStep && secondFactorRequired.includes(role);

  const inProcessTime = ({ expiresAt }: Session) => performance.now() + expiresAt.getTime() - Date.now();

  async function load(token: string): Promise<Session | null> {
    const before = evictions;
    const [row] = await byToken.execute({ token: hashOf(token) });
    // Something was evicted while the query ran, so the row may be stale.
    if (evictions !== before) return await load(token);
    if (!row || !hasAccess(row)) return null;
    const { useIsOld, ...fields } = row;
    const loaded = { ...fields, lacksSecondFactor: lacksSecondFactor(row.role, row.twoStep) };
    cached.set(token, {
      session: loaded,
      until: Math.min(performance.now() + cacheLifetime, inProcessTime(loaded)),
    });
    if (useIsOld)
      await database.db.update(session).set({ updatedAt: sql`now()` }).where(eq(session.id, loaded.id));
    return loaded;
  }

  /** Returns the session of a Cookie header, even if it lacks a second factor; null if there is none. */
  async function checkAny(cookies: string | null): Promise<Session | null> {
    const token = signedCookies.readCookie(cookies);
    if (token === null) return null;
    const entry = cached.get(token);
    if (entry && bus.isTrusted() && entry.until > performance.now()) return entry.session;
    return await load(token);
  }

  /** Returns the session of a Cookie header; null if there is none, or if it lacks a second factor. */
  async function check(cookies: string | null): Promise<Session | null> {
    const current = await checkAny(cookies);
    return current?.lacksSecondFactor ? null : current;
  }

  function evict({ userId, sessionId, ended }: AccountChange) {
    evictions++;
    const isChanged = (at: Session) =>
      at.userId === userId && (sessionId === undefined || at.id === sessionId);
    const tokens = [...cached].flatMap(([token, { session: at }]) => (isChanged(at) ? token : []));
    for (const token of tokens) cached.delete(token);
    if (ended) live.signOut(userId, sessionId);
  }

  bus.subscribe("account", (payload) => {
    const change = accountChange.parse(JSON.parse(payload));
    evict(change);
    if (!change.ended) live.deliver(`account:${change.userId}`, "{}");
  });
  bus.onGap(() => {
    evictions++;
    cached.clear();
  });

  /** Publishes changes of accounts to all nodes when the transaction commits. */
  async function publish(tx: Transaction, ...changes: AccountChange[]): Promise<void> {
    const texts = changes.map((each) => JSON.stringify(each));
    await bus.publish("account", texts, tx);
    // This node does not wait for its own event.
    tx.afterCommit(() => changes.forEach(evict));
  }

  /** Deletes the account's oldest sessions beyond the limit, in a fixed order so that two logins can't deadlock. */
  async function closeSurplus(tx: Transaction, userId: string, newest: string): Promise<void> {
    const surplus = tx
      .select({ id: session.id })
      .from(session)
      .where(and(eq(session.userId, userId), ne(session.id, newest)))
      .orderBy(desc(session.createdAt))
      .offset(maxSessions - 1);
    const sessionIds = tx
      .select({ id: session.id })
      .from(session)
      .where(inArray(session.id, surplus))
      .orderBy(session.id)
      .for("update");
    const closed = await tx
      .delete(session)
      .where(inArray(session.id, sessionIds))
      .returning({ id: session.id });
    await publish(tx, ...closed.map(({ id }) => ({ userId, sessionId: id, ended: true })));
  }

  /**
   * Opens a session, replacing the browser's previous one, and returns its cookie. `twoStep` says whether a second
   * factor was proved. Send the cookie only after the commit.
   */
  async function open(
    tx: Transaction,
    userId: string,
    {
      brief = false,
      twoStep = false,
      client = null,
    }: { brief?: boolean; twoStep?: boolean; client?: SessionOrigin | null } = {},
  ): Promise<string> {
    const [id, token] = [randomUUID(), randomBytes(32).toString("base64url")];
    const seconds = brief ? lifetime.short : lifetime.usual;
    const expiresAt = new Date(Date.now() + seconds * 1000);
    const from = { ipAddress: client?.address, userAgent: client?.browser };
    await tx.insert(session).values({ id, token: hashOf(token), userId, expiresAt, twoStep, ...from });
    await closeSurplus(tx, userId, id);
    if (client?.session) await end(tx, client.session);
    return signedCookies.sessionCookie(token, brief ? null : seconds);
  }

  /** Ends the sessions of an account that match the condition; returns their number. */
  async function endMatching(tx: Transaction, userId: string, condition: SQL): Promise<number> {
    const matching = and(eq(session.userId, userId), condition);
    const ended = await tx.delete(session).where(matching).returning({ id: session.id });
    await publish(tx, ...ended.map(({ id }) => ({ userId, sessionId: id, ended: true })));
    return ended.length;
  }

  /** Ends one session; returns 0 if it has ended already, or belongs to another account. */
  const end = (tx: Transaction, { id, userId }: Pick<Session, "id" | "userId">) =>
    endMatching(tx, userId, eq(session.id, id));

  /**
   * Ends all sessions of the account except this one; returns their number. Cancels a pending change of address, which
   * may have been requested in one of them.
   */
  async function endOthers(tx: Transaction, { id, userId }: Pick<Session, "id" | "userId">): Promise<number> {
    await deleteRequestedEmail(tx, userId);
    return await endMatching(tx, userId, ne(session.id, id));
  }

  /** Logs the account out everywhere, and cancels a pending change of address. Its API keys stay valid. */
  async function logOut(tx: Transaction, userId: string): Promise<void> {
    await deleteRequestedEmail(tx, userId);
    await tx.delete(session).where(eq(session.userId, userId));
    await publish(tx, { userId, ended: true });
  }

  /** Ends the account's sessions, API keys and calendar address, so that nobody can act or read as this account. */
  async function endAll(tx: Transaction, userId: string): Promise<void> {
    await apiKeySessions.revokeAll(tx, userId);
    await endCalendar(tx, userId);
    await logOut(tx, userId);
  }

  /**
   * Records that the session's holder has just proved their identity again, with a second factor if `twoStep`; returns
   * false if the session has ended in the meantime.
   */
  async function prove(
    tx: Transaction,
    { id, userId }: Pick<Session, "id" | "userId">,
    twoStep: boolean,
  ): Promise<boolean> {
    const proved = await tx
      .update(session)
      .set({ provedAt: sql`now()`, ...(twoStep && { twoStep }) })
      .where(eq(session.id, id))
      .returning({ id: session.id });
    await publish(tx, { userId, sessionId: id, ended: false });
    return proved.length > 0;
  }

  /**
   * Publishes that the account's role, status or profile changed, so that its sessions and open pages are refreshed.
   */
  const changed = (tx: Transaction, userId: string) => publish(tx, { userId, ended: false });

  return {
    check,
    checkAny,
    lacksSecondFactor,
    open,
    prove,
    end,
    endOthers,
    logOut,
    endAll,
    changed,
    evict,
  };
}
