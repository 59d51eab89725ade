import { createHash, randomUUID } from "node:crypto";
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "#server/platform/database.ts";
import { keptAnswer } from "./tables.ts";

/** Hours for which an answer is kept. */
const keptFor = 24;
/** Seconds after which an attempt without an answer counts as abandoned; no attempt takes that long. */
const attemptTimeout = 60;
/** Maximum length of an answer that is kept, in characters. Answers to changes are far shorter. */
const maxAnswerLength = 16_384;
const batchSize = 500;

export type StoredAnswer = { status: number; body: string };
/** With `new` the caller makes the change, and calls `end` with the answer, or with null if it failed. */
type AttemptStart =
  | { kind: "new"; end: (answer: StoredAnswer | null) => Promise<void> }
  | { kind: "answered"; answer: StoredAnswer }
  | { kind: "running"; retryAfter: number }
  | { kind: "otherRequest" };

/** Identifies a request, so that a key can't be used for two different ones. */
export const hashOfRequest = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

const ago = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`;

/**
 * Begins a change under the caller's idempotency key. Only one of several concurrent calls is `new`. A change of a
 * process that died is `new` again after a minute: every change that programs can make is refused or harmless when it
 * is repeated (docs/adr/0031-open-interface.md).
 */
export async function beginIdempotent(
  { db }: Pick<Database, "db">,
  { userId, key, request }: { userId: string; key: string; request: string },
): Promise<AttemptStart> {
  const attempt = randomUUID();
  const isOver = lt(keptAnswer.startedAt, ago(keptFor * 3600));
  const isAbandoned = and(
    isNull(keptAnswer.status),
    eq(keptAnswer.request, request),
    lt(keptAnswer.startedAt, ago(attemptTimeout)),
  );
  const begun = await db
    .insert(keptAnswer)
    .values({ userId, key, request, attempt })
    .onConflictDoUpdate({
      target: [keptAnswer.userId, keptAnswer.key],
      set: { request, attempt, startedAt: sql`now()`, status: null, body: null },
      setWhere: sql`(${isOver}) or (${isAbandoned})`,
    })
    .returning({ key: keptAnswer.key });
  const isThisKey = and(eq(keptAnswer.userId, userId), eq(keptAnswer.key, key));
  if (begun.length > 0) {
    const isThisAttempt = and(isThisKey, eq(keptAnswer.attempt, attempt));
    return {
      kind: "new",
      async end(answer) {
        if (answer === null || answer.body.length > maxAnswerLength)
          await db.delete(keptAnswer).where(isThisAttempt);
        else await db.update(keptAnswer).set(answer).where(isThisAttempt);
      },
    };
  }
  const [row] = await db
    .select({
      request: keptAnswer.request,
      status: keptAnswer.status,
      body: keptAnswer.body,
      runningFor: sql<number>`extract(epoch from now() - ${keptAnswer.startedAt})`.mapWith(Number),
    })
    .from(keptAnswer)
    .where(isThisKey);
  // The other attempt failed between the two statements.
  if (!row) return { kind: "running", retryAfter: 1 };
  if (row.request !== request) return { kind: "otherRequest" };
  if (row.status === null || row.body === null)
    return { kind: "running", retryAfter: Math.max(1, Math.ceil(attemptTimeout - row.runningFor)) };
  return { kind: "answered", answer: { status: row.status, body: row.body } };
}

/** Removes expired answers. */
export async function removeKeptAnswers({ db }: Pick<Database, "db">): Promise<void> {
  for (;;) {
    const { rowCount } = await db.execute(sql`
      delete from kept_answer where (user_id, key) in (
        select user_id, key from kept_answer where started_at < ${ago(keptFor * 3600)} limit ${batchSize})`);
    if ((rowCount ?? 0) < batchSize) return;
  }
}
