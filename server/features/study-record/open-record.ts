import { and, eq, gt, sql } from "drizzle-orm";
import { viewPause } from "#domain/look.ts";
import { isStudent } from "#domain/permission.ts";
import { refundFailure } from "#server/features/account/allowance.ts";
import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { lockForPapers } from "#server/features/assignments/queries.ts";
import { actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { audit } from "#server/features/audit/tables.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** Whether a user has viewed a student's record within the last half hour. */
async function hasViewed(db: Reader, userId: string, studentId: string): Promise<boolean> {
  const [entry] = await db
    .select({ id: audit.id })
    .from(audit)
    .where(
      and(
        eq(audit.actorId, userId),
        eq(audit.subjectId, studentId),
        eq(audit.action, "identity-viewed"),
        gt(audit.at, sql`now() - make_interval(secs => ${viewPause / 1000})`),
        sql`${audit.detail} ->> 'as' = 'record'`,
      ),
    )
    .limit(1);
  return entry !== undefined;
}

/**
 * Reads the record of a student with `read`, for the student or a user who may see the student's papers; anyone else
 * gets `not-found`. An admin gives a reason first. Views by staff are audited, and count against an agent's pace, once
 * in half an hour, because each page of a list of programmes and each save reads the record again.
 */
export async function openRecord<Read>(
  services: Services,
  { session, address }: { session: Session; address: string },
  studentId: string,
  read: (db: Reader, studentId: string) => Promise<Read>,
): Promise<Read> {
  const { database } = services;
  const { userId } = session;
  if (isStudent(session) && userId === studentId) return await read(database.db, studentId);
  const isKnown = await hasViewed(database.db, userId, studentId);
  const open = () =>
    database.transaction(async (tx) => {
      const actor = { userId, address };
      const student = await lockForPapers(tx, actor, studentId);
      const right = await requireViewReason(tx, session, student);
      const entry = { ...actedBy(actor), subjectId: studentId, detail: { ...right, as: "record" } };
      if (!isKnown) await recordAudit(tx, { action: "identity-viewed", ...entry });
      return await read(tx, studentId);
    });
  if (isKnown) return await open();
  return await refundFailure(await countAgentPace(services, session, "look"), open());
}
