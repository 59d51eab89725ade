import type { Context } from "hono";
import { isLiveTopic } from "#domain/live-topic.ts";
import type { Session } from "#server/features/account/sessions.ts";
import { liveChannels } from "#server/features/index.ts";
import type { Services } from "#server/services.ts";

/** Event name by channel, of the topics that were asked for and may be watched. */
function channelsFor(session: Session, topics: readonly string[]): Map<string, string> {
  const found = topics.filter(isLiveTopic).map((topic) => [liveChannels[topic](session), topic] as const);
  return new Map(found.flatMap(([channel, topic]) => (channel === null ? [] : [[channel, topic] as const])));
}

/** GET /live?topics=account,agents: the one event stream of a browser tab. 401 without a session. */
export async function liveEndpoint(c: Context, { sessions, live }: Services): Promise<Response> {
  const cookies = c.req.header("cookie") ?? null;
  const session = await sessions.check(cookies);
  if (!session) return c.body(null, 401);
  // From here to the stream nothing waits, so no news about the session can slip in between.
  const { userId, id: sessionId, expiresAt } = session;
  const stillSignedIn = async () => (await sessions.check(cookies)) !== null;
  const topics = (c.req.query("topics") ?? "").split(",");
  return live.stream({ userId, sessionId, expiresAt, stillSignedIn }, channelsFor(session, topics));
}
