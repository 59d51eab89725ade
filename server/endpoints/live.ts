import { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { eq } from "drizzle-orm";
import type { Context } from "hono";
import { decideSignIn } from "#domain/sign-in.ts";
import { guardedPerStream, isGuardedTopic, type LiveTopic, parseTopics } from "#protocol/live-topic.ts";
import { user } from "#server/features/account/tables.ts";
import { liveChannel, rightsTo } from "#server/features/index.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Guard, Right } from "#server/platform/guarded-topics.ts";
import { bodyOfSink, type Holder, socketSink } from "#server/platform/live-watcher.ts";
import type { Services } from "#server/services.ts";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** Returns the event name by channel, for the requested topics that may be watched. */
function channelsFor(viewer: Session | null, topics: readonly LiveTopic[]): Map<string, string> {
  const channels = topics.map((topic) => [liveChannel(topic, viewer), topic] as const);
  return new Map(
    channels.flatMap(([channel, topic]) => (channel === null ? [] : [[channel, topic] as const])),
  );
}

const tooMany: Right = { code: "resource-exhausted" };

/** Returns the guarded topics among the requested ones. Those beyond 20 are refused unchecked. */
function guardOf(
  { database, sessions }: Pick<Services, "database" | "sessions">,
  cookies: string | null,
  topics: readonly LiveTopic[],
): Guard {
  const guarded = topics.filter(isGuardedTopic);
  const within = guarded.slice(0, guardedPerStream);
  const beyond = guarded.slice(guardedPerStream).map((topic) => [topic, tooMany] as const);
  return {
    topics: guarded,
    async check(due) {
      // A later check reads the account's state at that time.
      const viewer = await sessions.checkAny(cookies);
      const rights = await rightsTo(
        database.db,
        viewer,
        within.filter((topic) => due.includes(topic)),
      );
      return new Map<string, Right>([...beyond, ...rights]);
    },
  };
}

/** Returns Node's response to the request; null if the app is called as a function. */
function responseOf(c: Context): ServerResponse | null {
  const outgoing: unknown = c.env?.outgoing;
  return outgoing instanceof ServerResponse ? outgoing : null;
}

/**
 * Returns the code with which a login would be refused by now, for an account whose session has just ended; empty if it
 * would be accepted.
 */
async function whyEnded({ db }: Services["database"], userId: string): Promise<{ code?: string }> {
  const [row] = await db
    .select({ role: user.role, status: user.status })
    .from(user)
    .where(eq(user.id, userId));
  // Only a denied agent's record is ever deleted.
  const outcome = decideSignIn(row ? { kind: "account", ...row } : { kind: "denied" }, true);
  return outcome === "accepted" ? {} : { code: outcome };
}

type Parts = Pick<Services, "database" | "sessions" | "live"> & {
  address: string;
  security: Record<string, string>;
};

/**
 * GET /live?topics=account,product:{id}: the one event stream of a browser tab. 401 for a visitor who requests nothing
 * that everyone may watch, 429 for one too many from an address. `security`: headers of every response.
 */
export async function liveEndpoint(c: Context, { database, sessions, live, address, security }: Parts) {
  if (c.req.method !== "GET") return c.body(null, 405);
  const cookies = c.req.header("cookie") ?? null;
  const session = await sessions.checkAny(cookies);
  const topics = parseTopics(c.req.query("topics") ?? "");
  const names = channelsFor(session, topics);
  const guard = guardOf({ database, sessions }, cookies, topics);
  if (!session && names.size === 0) return c.body(null, 401);
  const holder: Holder = session
    ? {
        userId: session.userId,
        sessionId: session.id,
        expiresAt: session.expiresAt,
        stillSignedIn: async () => (await sessions.checkAny(cookies)) !== null,
        endEventData: async () => JSON.stringify(await whyEnded(database, session.userId)),
      }
    : { visitor: address };
  if (live.isFull(holder)) return c.body(null, 429, { "retry-after": "30" });
  // Nothing is awaited between the check and the stream, so no event about the session can be missed.
  const response = responseOf(c);
  if (response?.destroyed) return c.body(null, 400);
  const openSink = response && socketSink(response, { ...security, ...headers });
  if (!openSink)
    return new Response(
      bodyOfSink((open) => live.open(holder, names, open, guard)),
      { headers },
    );
  live.open(holder, names, openSink, guard);
  return RESPONSE_ALREADY_SENT;
}
