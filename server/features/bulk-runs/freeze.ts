import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import { type AccountStatus, hasAccess } from "#domain/account.ts";
import { decideStep, moverOf } from "#domain/application-step.ts";
import { decideAssignment } from "#domain/assignment.ts";
import type { BulkReason } from "#domain/bulk-run.ts";
import { checkMessage } from "#domain/conversation.ts";
import { checkRequest } from "#domain/document-request.ts";
import { checkInvitation, type InvitationForm } from "#domain/invitation.ts";
import { handoverNoteProblem } from "#domain/note.ts";
import { isResponsibleFor, mayAssign } from "#domain/permission.ts";
import { checkTask } from "#domain/task.ts";
import { user } from "#server/features/account/tables.ts";
import { isListConfirmed } from "#server/features/applications/confirmations/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import { notInvitable } from "#server/features/invitations/queries.ts";
import { blockingRequests } from "#server/features/planner/blocked-steps.ts";
import { checkedDeadline } from "#server/features/planner/write-deadline.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import {
  type ActingStaff,
  type MoveInput,
  type messageInput,
  type requestInput,
  type taskInput,
} from "./acts.ts";
import { type ItemSnapshot } from "./tables.ts";

/** A frozen row. One with a reason is skipped from the beginning. */
export type NewItem = {
  position?: number;
  studentId: string | null;
  applicationId?: string | null;
  expected: ItemSnapshot;
  reason: BulkReason | null;
};

async function studentsAmong(tx: Transaction, ids: readonly string[]) {
  return await tx
    .select({ id: user.id, status: user.status, assignedAgentId: user.assignedAgentId })
    .from(user)
    .where(and(eq(user.role, "student"), sql`${user.id} = any(${sql.param([...ids])}::text[])`))
    .orderBy(sql`lower(${user.name})`, user.id);
}

export async function freezeAssignment(
  tx: Transaction,
  staff: ActingStaff,
  ids: readonly string[],
  { agentId, note }: { agentId: string | null; note: string },
): Promise<NewItem[]> {
  const problem = handoverNoteProblem(note);
  if (problem) throw Refusal.of(problem);
  const agent = agentId === null ? null : await agentById(tx, agentId);
  if (agentId !== null && agent === null) throw new Refusal("not-found");
  return (await studentsAmong(tx, ids)).map((student) => {
    const { id: studentId, assignedAgentId: from } = student;
    const outcome = decideAssignment(staff, student, { agentId, expectedAgentId: from }, agent);
    const reasons = {
      assigned: null,
      unassigned: null,
      unchanged: "unchanged",
      notAllowed: "anotherAgents",
      conflict: "agentGone",
    } as const;
    return { studentId, expected: { from, to: agentId }, reason: reasons[outcome] };
  });
}

async function agentById(tx: Transaction, id: string): Promise<AccountStatus | null> {
  const [row] = await tx
    .select({ role: user.role, status: user.status })
    .from(user)
    .where(and(eq(user.id, id), eq(user.role, "agent")));
  return row ?? null;
}

/**
 * Freezes a step of all applications of these students that are in the state `from`. A student without one is listed
 * with the state of their latest application.
 */
export async function freezeMove(
  tx: Transaction,
  staff: ActingStaff,
  ids: readonly string[],
  { from, to, note }: MoveInput,
): Promise<NewItem[]> {
  const students = await studentsAmong(tx, ids);
  const applications = await tx
    .select({
      id: application.id,
      studentId: application.studentId,
      state: application.state,
      version: application.version,
    })
    .from(application)
    .where(
      inArray(
        application.studentId,
        students.map(({ id }) => id),
      ),
    )
    .orderBy(desc(application.updatedAt), desc(application.id));
  const byStudent = Map.groupBy(applications, ({ studentId }) => studentId);
  const movable = applications.filter(({ state }) => state === from).map(({ id }) => id);
  const confirmed = new Set<string>();
  if (to === "sentToUniversity")
    for (const id of movable) if (await isListConfirmed(tx, id)) confirmed.add(id);
  const blocking = await blockingRequests(tx, movable, { from, to });
  const blocked = new Set(blocking.map(({ applicationId }) => applicationId));
  return students.flatMap((student): NewItem[] => {
    const own = byStudent.get(student.id) ?? [];
    const [latest] = own;
    const base = { studentId: student.id, expected: {} };
    if (!latest) return [{ ...base, reason: "noApplication" }];
    const inState = own.filter(({ state }) => state === from);
    if (inState.length === 0) return [{ ...base, applicationId: latest.id, reason: latest.state }];
    const mover = moverOf(staff, student);
    const reasonOf = (id: string): BulkReason | null => {
      if (mover === null) return "anotherAgents";
      const reason = stepReason(mover, { from, to, note }, confirmed.has(id));
      return reason ?? (blocked.has(id) ? "blocked" : null);
    };
    return inState.map(({ id, version }) => ({
      studentId: student.id,
      applicationId: id,
      expected: { version },
      reason: reasonOf(id),
    }));
  });
}

export type SendInput =
  | ({ act: "message" } & z.infer<typeof messageInput>)
  | ({ act: "task" } & z.infer<typeof taskInput>)
  | ({ act: "request" } & z.infer<typeof requestInput>);

/** Freezes what is sent to each of these students. Its content is checked once, before anyone gets it. */
export async function freezeSending(
  tx: Transaction,
  staff: ActingStaff,
  ids: readonly string[],
  input: SendInput,
): Promise<NewItem[]> {
  const outcome =
    input.act === "message"
      ? checkMessage(input.text, 0)
      : input.act === "task"
        ? checkTask(input)
        : checkRequest(input);
  if ("code" in outcome) throw Refusal.of(outcome);
  const students = await studentsAmong(tx, ids);
  const [first] = students;
  if (input.act !== "message" && first) await checkedDeadline(tx, first.id, input.due);
  return students.map((student): NewItem => {
    const reason = isResponsibleFor(staff, student)
      ? hasAccess({ role: "student", status: student.status })
        ? null
        : "closed"
      : "anotherAgents";
    return { studentId: student.id, expected: {}, reason };
  });
}

function stepReason(
  mover: NonNullable<ReturnType<typeof moverOf>>,
  { from, to, note }: MoveInput,
  isConfirmed: boolean,
): BulkReason | null {
  const outcome = decideStep(mover, from, to, note, isConfirmed);
  // The note is the same for all rows: a missing one is the form's problem.
  if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
  if (outcome.kind === "unconfirmed") return outcome.kind;
  return outcome.kind === "conflict" ? from : null;
}

/** A row of a file: the student's id or email address, and the agent's email address; empty if the file has none. */
export type ImportedRow = { number: number; id: string; email: string; agent: string };

/**
 * Freezes the assignments of a file. An empty cell leaves a student unchanged, and so does an existing agent unless
 * `overwrite` is set.
 */
export async function freezeImport(
  tx: Transaction,
  staff: ActingStaff,
  rows: readonly ImportedRow[],
  overwrite: boolean,
): Promise<NewItem[]> {
  const texts = (cell: (row: ImportedRow) => string) =>
    sql.param([...new Set(rows.map(cell))].filter(Boolean));
  const students = await tx
    .select({ id: user.id, email: user.email, assignedAgentId: user.assignedAgentId })
    .from(user)
    .where(
      and(
        eq(user.role, "student"),
        sql`(${user.id} = any(${texts(({ id }) => id)}::text[]) or ${user.email} = any(${texts(({ email }) => email)}::text[]))`,
      ),
    );
  const agents = await tx
    .select({ id: user.id, email: user.email })
    .from(user)
    .where(
      and(
        eq(user.role, "agent"),
        eq(user.status, "approved"),
        sql`${user.email} = any(${texts(({ agent }) => agent)}::text[])`,
      ),
    );
  const byId = new Map(students.map((student) => [student.id, student]));
  const byEmail = new Map(students.map((student) => [student.email, student]));
  const agentIds = new Map(agents.map(({ id, email }) => [email, id]));
  const studentIds = new Set<string>();
  return rows.map(({ number: position, id, email, agent }): NewItem => {
    const student = id === "" ? byEmail.get(email) : byId.get(id);
    if (!student) return { position, studentId: null, expected: {}, reason: "unknownStudent" };
    const from = student.assignedAgentId;
    const to = agent === "" ? from : agentIds.get(agent);
    const isRepeated = studentIds.has(student.id);
    studentIds.add(student.id);
    const row = { position, studentId: student.id, expected: { from, to: to ?? null } };
    if (isRepeated) return { ...row, reason: "repeated" };
    if (to === undefined) return { ...row, reason: "unknownAgent" };
    if (to === from) return { ...row, reason: "unchanged" };
    if (!mayAssign(staff, student)) return { ...row, reason: "anotherAgents" };
    return { ...row, reason: from !== null && !overwrite ? "filled" : null };
  });
}

const badFields: Record<string, BulkReason> = { email: "badEmail", message: "badMessage" };

/** Freezes the invitations of a file. Never looks up whether an address has an account. */
export async function freezeInvitations(
  tx: Transaction,
  staff: ActingStaff,
  rows: readonly (InvitationForm & { number: number })[],
): Promise<NewItem[]> {
  const invitations = rows.map(({ number, ...entry }) => ({ number, entry, form: checkInvitation(entry) }));
  const emails = invitations.flatMap(({ form }) => ("code" in form ? [] : form.email));
  const { open, declined } = await notInvitable(tx, staff.id, emails);
  const invitees = new Set<string>();
  return invitations.map(({ number: position, entry, form }): NewItem => {
    const row = { position, studentId: null };
    if ("code" in form)
      return { ...row, expected: { invitation: entry }, reason: badFields[form.field ?? ""] ?? "badName" };
    const isRepeated = invitees.has(form.email);
    invitees.add(form.email);
    const expected = { invitation: form };
    if (isRepeated) return { ...row, expected, reason: "repeated" };
    if (declined.has(form.email)) return { ...row, expected, reason: "declined" };
    return { ...row, expected, reason: open.has(form.email) ? "invitedAlready" : null };
  });
}
