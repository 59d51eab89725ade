import { desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database, Reader } from "#server/platform/database.ts";
import type { Environment } from "#server/platform/environment.ts";
import { announcements, type Log } from "#server/platform/log.ts";
import { recordAudit } from "./commands.ts";
import { audit, auditChain } from "./tables.ts";
import {
  type ChainPosition,
  compareHead,
  headOf,
  headText,
  readHead,
  start,
  verifyChain,
} from "./verify-chain.ts";

/** Batches of 10,000 entries that one night checks: a million in all, so that a longer log takes several nights. */
const batchesPerNight = 100;
/** Entries that are removed in one transaction. */
const removalBatchSize = 5_000;

/**
 * State that an entry about a check stores: the end of the chain, the place where the next check continues, and the
 * first problem of this round and of the previous one.
 */
const stateForm = z.object({
  head: z.string(),
  next: z.string(),
  problem: z.string().default(""),
  problemBefore: z.string().default(""),
});

const checkForm = z.object({ at: z.date(), detail: stateForm });
/**
 * The last check of the log: the position of the chain's end at that time, and the problem that was found; null if
 * none.
 */
export type LastCheck = { at: Date; position: number; problem: string | null };

async function lastState(db: Reader) {
  const [row] = await db
    .select({ at: audit.at, detail: audit.detail })
    .from(audit)
    .where(eq(audit.action, "audit-checked"))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(1);
  return checkForm.safeParse(row).data ?? null;
}

/** Returns null before the first night. */
export async function lastCheck(db: Reader): Promise<LastCheck | null> {
  const last = await lastState(db);
  if (!last) return null;
  const { head, problem, problemBefore } = last.detail;
  return {
    at: last.at,
    position: readHead(head)?.position ?? 0,
    problem: problem || problemBefore || null,
  };
}

function parsePlace(text: string | undefined): ChainPosition {
  const [position, id] = (text ?? "").split(":").map(Number);
  return position !== undefined && id !== undefined && position >= 0 && id >= 0 ? { position, id } : start;
}

/** Returns the place at which a check of the entries after a head begins. */
async function placeAfter(db: Reader, position: number): Promise<ChainPosition> {
  const [link] = await db
    .select({ id: auditChain.auditId })
    .from(auditChain)
    .where(eq(auditChain.position, position));
  return { position, id: link?.id ?? 0 };
}

/**
 * Checks a bounded part of the chain each night, and always the new entries. Writes the result and the place to
 * continue to the audit log, and the end of the chain to the server's log: anyone who keeps that notices when the end
 * is cut off. Resolves to the problem that was found, or null.
 */
export async function checkAuditLog(
  { database: { db, pool }, log }: { database: Database; log: Log },
  batches = batchesPerNight,
): Promise<string | null> {
  const state = (await lastState(db))?.detail;
  const earlierHead = readHead(state?.head);
  const head = await headOf(pool);
  if (!head) return null;
  const headFinding = earlierHead && (await compareHead(pool, earlierHead));
  const round = await verifyChain(pool, parsePlace(state?.next), batches);
  const isNewChecked = round.complete || !earlierHead;
  const growth = isNewChecked
    ? null
    : await verifyChain(pool, await placeAfter(db, earlierHead.position), batches);
  const [firstProblem = ""] = [
    ...(headFinding ? [headFinding] : []),
    ...round.problems,
    ...(growth?.problems ?? []),
  ];
  const problem = state?.problem || firstProblem;
  const { position, id } = round.place;
  const after = round.complete
    ? { next: "0:0", problem: "", problemBefore: problem }
    : { next: `${position}:${id}`, problem, problemBefore: state?.problemBefore ?? "" };
  const texts = Object.fromEntries(Object.entries(after).filter(([, text]) => text !== ""));
  await recordAudit(db, { action: "audit-checked", detail: { head: headText(head), ...texts } });
  announcements(log).info(head, "the end of the audit log");
  const currentProblem = after.problem || after.problemBefore;
  if (!currentProblem) return null;
  log.error({ problem: currentProblem }, "the audit log is not what was written");
  return currentProblem;
}

/**
 * Removes entries older than `retainAuditDays`, in batches. The database keeps 365 days even if fewer are requested.
 */
export async function trimAuditLog({
  database: { db },
  environment: { retainAuditDays },
}: {
  database: Database;
  environment: Pick<Environment, "retainAuditDays">;
}): Promise<void> {
  if (retainAuditDays === null) return;
  for (;;) {
    const { rows } = await db.execute<{ removed: number }>(
      sql`select audit_trim(now() - make_interval(days => ${retainAuditDays}), ${removalBatchSize}) as removed`,
    );
    if ((rows[0]?.removed ?? 0) === 0) return;
  }
}
