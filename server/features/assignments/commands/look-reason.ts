import { and, desc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { lookReasonLasts, lookReasonProblem, type ViewRight } from "#domain/look.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { audit } from "#server/features/audit/tables.ts";
import type { Session, SessionActor } from "#server/features/sessions/sessions.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { lockStudent, type StudentRecord } from "../queries.ts";

/** The right by which a user views a student's papers, as the audit log records it. */
export type ViewDetail = { right?: ViewRight; reason?: string };

const reasonForm = z.object({ reason: z.string() });

/**
 * Returns the right that the audit log records for a view of a student's papers. Throws `look/reason-required` for an
 * admin who has not recently given a reason for this student in this session. Every path to a student's identity
 * details or files calls this after checking the permission, so users other than the student and the agent are admins.
 */
export async function requireViewReason(
  db: Reader,
  session: Pick<Session, "id" | "userId">,
  student: Pick<StudentRecord, "id" | "name" | "assignedAgentId">,
): Promise<ViewDetail> {
  if (session.userId === student.id) return {};
  if (session.userId === student.assignedAgentId) return { right: "agent" };
  const [entry] = await db
    .select({ detail: audit.detail })
    .from(audit)
    .where(
      and(
        eq(audit.actorId, session.userId),
        gt(audit.at, sql`now() - make_interval(secs => ${lookReasonLasts / 1000})`),
        eq(audit.action, "look-reason-given"),
        eq(audit.subjectId, student.id),
        sql`${audit.detail} ->> 'session' = ${session.id}`,
      ),
    )
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(1);
  if (!entry) throw new Refusal("look/reason-required", { student: { id: student.id, name: student.name } });
  return { right: "admin", ...reasonForm.parse(entry.detail) };
}

/** Records the reason for which an admin opens a student's papers. */
export async function giveLookReason(
  { database }: { database: Database },
  actor: SessionActor,
  { studentId, reason }: { studentId: string; reason: string },
): Promise<void> {
  const problem = lookReasonProblem(reason);
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const student = await lockStudent(tx, studentId);
    if (!student) throw new Refusal("not-found");
    if (problem) throw Refusal.of(problem);
    await recordAudit(tx, {
      action: "look-reason-given",
      ...actedBy(actor),
      subjectId: student.id,
      detail: { reason: reason.trim(), session: actor.session.id },
    });
  });
}
