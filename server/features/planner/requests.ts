import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { AuditAction } from "#domain/audit.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { type DeadlineForm, deadlineText, strictnessWords } from "#domain/deadline.ts";
import {
  blocksProblem,
  checkRequest,
  decideRequest,
  followDocument,
  isRequestOpen,
  type RequestDecision,
  type RequestKind,
  requestLimits,
  requestTitle,
} from "#domain/document-request.ts";
import {
  lockForPapers,
  lockForResponsible,
  type StudentRecord,
} from "#server/features/assignments/queries.ts";
import { pathToStudent, staffOf } from "#server/features/assignments/staff.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import type { SlotChange } from "#server/study-events.ts";
import { type DeadlineRow, deadlineOf } from "./deadline-columns.ts";
import { isApplicationOf, timeZoneOf } from "./queries.ts";
import { request } from "./tables.ts";
import { checkedDeadline } from "./write-deadline.ts";

type RequestForm = {
  kind: RequestKind;
  name: string;
  reason: string;
  blocks: boolean;
  due: DeadlineForm | null;
};
type RequestBatch = { studentId: string; applicationId: string | null; requests: readonly RequestForm[] };

/** Requests documents from a student, with one mail for all of them, and returns the requests' ids. */
export const askFor = (services: Services, actor: Actor, batch: RequestBatch): Promise<string[]> =>
  services.database.transaction((tx) => askWithin(services, tx, actor, batch));

/** Requests documents from a student within a transaction. */
export async function askWithin(
  services: Services,
  tx: Transaction,
  actor: Actor,
  batch: RequestBatch,
): Promise<string[]> {
  const student = await lockForResponsible(tx, actor, batch.studentId);
  const { applicationId } = batch;
  if (!(await isApplicationOf(tx, applicationId, student.id))) throw new Refusal("not-found");
  const ofStudent = eq(request.studentId, student.id);
  if ((await tx.$count(request, ofStudent)) + batch.requests.length > requestLimits.perStudent)
    throw new Refusal("resource-exhausted", {
      message: `A student can have ${requestLimits.perStudent} requests at most.`,
    });
  const rows: (typeof request.$inferInsert)[] = [];
  for (const form of batch.requests) {
    const terms = checkRequest(form);
    if ("code" in terms) throw Refusal.of(terms);
    const { blocks } = form;
    const problem = blocksProblem({ blocks, applicationId });
    if (problem) throw Refusal.of(problem);
    const due = await checkedDeadline(tx, student.id, form.due);
    const shared = { id: randomUUID(), studentId: student.id, applicationId, createdBy: actor.userId };
    rows.push({ ...shared, ...terms, blocks, ...due });
  }
  const requests = await tx.insert(request).values(rows).returning();
  const zone = await timeZoneOf(tx, student.id);
  for (const { id, kind } of requests)
    await recordRequest(tx, "request-made", actor, student.id, { request: id, kind });
  await notify(services, tx, ...requests.map((row) => notificationOfRequest(row, zone)));
  await broadcastDashboards(services, tx, "plan", student.id, student.assignedAgentId, actor.userId);
  return requests.map(({ id }) => id);
}

type RequestRow = typeof request.$inferSelect;

function notificationOfRequest(row: RequestRow, zone: string): NewNotification {
  const due = deadlineOf(row);
  return {
    userId: row.studentId,
    kind: "requestMade",
    eventKey: `request-made:${row.id}:${row.version}`,
    topic: `request:${row.id}`,
    about: {
      request: requestTitle(row),
      ...(row.reason && { reason: row.reason }),
      ...(due && { due: deadlineText(due, zone, new Date()), strictness: strictnessWords(due.hard) }),
    },
    ids: { studentId: row.studentId, requestId: row.id },
    path: "/student-dashboard",
  };
}

const recordRequest = (
  tx: Transaction,
  action: AuditAction,
  actor: Actor,
  subjectId: string,
  detail: AuditDetail,
) => recordAudit(tx, { action, ...actedBy(actor), subjectId, detail });

/** Locks a request and, by `lock`, its student. A missing request is refused like a forbidden one. */
async function lockRequest(tx: Transaction, actor: Actor, id: string, lock: typeof lockForPapers) {
  const [before] = await tx.select({ studentId: request.studentId }).from(request).where(eq(request.id, id));
  const student = await lock(tx, actor, before?.studentId ?? null);
  const [row] = await tx.select().from(request).where(eq(request.id, id)).for("update");
  if (!row) throw new Refusal("not-found");
  return { row, student };
}

type Change = {
  requestId: string;
  version: number;
  reason: string;
  blocks: boolean;
  due: DeadlineForm | null;
};

/** Changes an open request, and notifies the student if its deadline moved. */
export async function changeRequest(services: Services, actor: Actor, change: Change): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { row, student } = await lockRequest(tx, actor, change.requestId, lockForResponsible);
    if (row.version !== change.version || !isRequestOpen(row.state)) throw Refusal.conflict();
    const terms = checkRequest({ ...row, reason: change.reason });
    if ("code" in terms) throw Refusal.of(terms);
    const problem = blocksProblem({ ...row, blocks: change.blocks });
    if (problem) throw Refusal.of(problem);
    const due = await checkedDeadline(tx, student.id, change.due);
    const values = { ...due, reason: terms.reason, blocks: change.blocks };
    const [after] = await tx
      .update(request)
      .set({ ...values, version: row.version + 1, updatedAt: new Date() })
      .where(eq(request.id, row.id))
      .returning();
    await recordRequest(tx, "request-changed", actor, student.id, { request: row.id, kind: row.kind });
    if (after && isMoved(row, after) && row.state !== "supplied")
      await notify(services, tx, notificationOfRequest(after, await timeZoneOf(tx, student.id)));
    await broadcastDashboards(services, tx, "plan", student.id, student.assignedAgentId, actor.userId);
  });
}

const isMoved = (before: DeadlineRow, after: DeadlineRow): boolean =>
  before.dueAt?.getTime() !== after.dueAt?.getTime();

type Decision = { requestId: string; version: number; decision: RequestDecision; note: string };

const audited: Record<RequestDecision, AuditAction> = {
  accepted: "request-accepted",
  sentBack: "request-sent-back",
  cancelled: "request-cancelled",
};

/**
 * Accepts what a student sent, sends it back, or cancels the request. Accepting and sending back needs access to the
 * student's papers; cancelling does not.
 */
export async function decideAboutRequest(
  services: Services,
  actor: Actor,
  decision: Decision,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const lock = decision.decision === "cancelled" ? lockForResponsible : lockForPapers;
    const { row, student } = await lockRequest(tx, actor, decision.requestId, lock);
    if (row.version !== decision.version) throw Refusal.conflict();
    const outcome = decideRequest(row, decision.decision, decision.note);
    if (outcome.kind === "conflict") throw Refusal.conflict();
    if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
    const { state, note } = outcome;
    const version = row.version + 1;
    await tx
      .update(request)
      .set({ state, note, version, updatedAt: new Date() })
      .where(eq(request.id, row.id));
    await recordRequest(tx, audited[state], actor, student.id, { request: row.id, kind: row.kind });
    if (state === "sentBack") await notify(services, tx, notificationOfSentBack({ ...row, note, version }));
    await broadcastDashboards(services, tx, "plan", student.id, student.assignedAgentId, actor.userId);
  });
}

const notificationOfSentBack = (row: RequestRow): NewNotification => ({
  userId: row.studentId,
  kind: "requestSentBack",
  eventKey: `request-sent-back:${row.id}:${row.version}`,
  topic: `request:${row.id}`,
  about: { request: requestTitle(row), reason: row.note },
  ids: { studentId: row.studentId, requestId: row.id },
  path: "/student-dashboard",
});

/** Returns the notifications for reviewers that a requested paper has come. Files of the six slots have their own. */
export async function notificationsOfSupplied(
  tx: Transaction,
  student: Pick<StudentRecord, "id" | "name" | "assignedAgentId">,
  row: Pick<RequestRow, "id" | "kind" | "name" | "version">,
): Promise<NewNotification[]> {
  return (await staffOf(tx, student.id, "papers")).map((userId) => ({
    userId,
    kind: "requestSupplied",
    eventKey: `request-supplied:${row.id}:${row.version}`,
    topic: `request:${row.id}`,
    about: { student: student.name, request: requestTitle(row) },
    ids: { studentId: student.id, requestId: row.id },
    path: pathToStudent(student, userId),
  }));
}

/**
 * Updates the open requests for a document from its slot: a file in the slot supplies the request, and the file's
 * review decides it.
 */
export async function followSlot(
  services: Services,
  tx: Transaction,
  { studentId, kind, document, reason }: SlotChange,
): Promise<void> {
  const open = await tx
    .select({ id: request.id, state: request.state })
    .from(request)
    .where(
      and(
        eq(request.studentId, studentId),
        eq(request.kind, kind),
        inArray(request.state, ["asked", "sentBack", "supplied"]),
      ),
    )
    .orderBy(request.id)
    .for("update");
  for (const { id, state } of open) {
    const next = followDocument(state, document);
    if (next === null) continue;
    const now = new Date();
    await tx
      .update(request)
      .set({
        state: next,
        note: next === "sentBack" ? reason : "",
        version: sql`${request.version} + 1`,
        updatedAt: now,
        ...(next === "supplied" && { suppliedAt: now }),
      })
      .where(eq(request.id, id));
  }
  if (open.length > 0) await broadcastDashboards(services, tx, "plan", studentId);
}
