import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { moverOf } from "#domain/application-step.ts";
import { type DeadlineForm, deadlineText, strictnessWords } from "#domain/deadline.ts";
import { isAdmin } from "#domain/permission.ts";
import { checkTask, decideTask, type TaskOwner, type TaskState, taskLimits } from "#domain/task.ts";
import { studentPath } from "#protocol/addresses.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import { lockForResponsible, lockStudent, type StudentRecord } from "#server/features/assignments/queries.ts";
import { pathToStudent, staffOf } from "#server/features/assignments/staff.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { deadlineOf } from "./deadline-columns.ts";
import { isApplicationOf, timeZoneOf } from "./queries.ts";
import { task } from "./tables.ts";
import { checkedDeadline } from "./write-deadline.ts";

type NewTask = {
  studentId: string;
  applicationId: string | null;
  title: string;
  text: string;
  owner: TaskOwner;
  due: DeadlineForm | null;
};
type TaskRow = typeof task.$inferSelect;

/** Adds a task, notifies its owner and returns its id. */
export const addTask = (services: Services, actor: Actor, form: NewTask): Promise<string> =>
  services.database.transaction((tx) => addTaskWithin(services, tx, actor, form));

/** Adds a task within a transaction. */
export async function addTaskWithin(
  services: Services,
  tx: Transaction,
  actor: Actor,
  form: NewTask,
): Promise<string> {
  const student = await lockForResponsible(tx, actor, form.studentId);
  if (!(await isApplicationOf(tx, form.applicationId, student.id))) throw new Refusal("not-found");
  const terms = checkTask(form);
  if ("code" in terms) throw Refusal.of(terms);
  const status = await lockStatus(tx, actor.userId);
  if (form.owner === "admin" && !(status && isAdmin(status)))
    throw new Refusal("form/incomplete", {
      field: "owner",
      message: "Only admins have tasks of their own.",
    });
  if ((await tx.$count(task, eq(task.studentId, student.id))) >= taskLimits.perStudent)
    throw new Refusal("resource-exhausted", {
      message: `A student can have ${taskLimits.perStudent} tasks at most.`,
    });
  const due = await checkedDeadline(tx, student.id, form.due);
  const { applicationId, owner } = form;
  const ownerId = owner === "admin" ? actor.userId : null;
  const shared = { studentId: student.id, applicationId, owner, ownerId, createdBy: actor.userId };
  const [row] = await tx
    .insert(task)
    .values({ id: randomUUID(), ...shared, ...terms, ...due })
    .returning();
  if (!row) throw new Refusal("internal");
  await recordTask(tx, "task-added", actor, row);
  await notifyOwner(services, tx, actor, student, row);
  await broadcastDashboards(services, tx, "plan", student.id, student.assignedAgentId, actor.userId);
  return row.id;
}

type TaskAction = "task-added" | "task-changed" | "task-moved";

const recordTask = (tx: Transaction, action: TaskAction, actor: Actor, { id, studentId, state }: TaskRow) =>
  recordAudit(tx, { action, ...actedBy(actor), subjectId: studentId, detail: { task: id, state } });

/** Notifies the owner of a task, unless they acted themselves. */
async function notifyOwner(
  services: Services,
  tx: Transaction,
  actor: Actor,
  student: StudentRecord,
  row: TaskRow,
): Promise<void> {
  if (row.owner === "admin") return;
  const isStudents = row.owner === "student";
  const userId = isStudents ? student.id : student.assignedAgentId;
  if (userId === null || userId === actor.userId) return;
  const due = deadlineOf(row);
  const zone = await timeZoneOf(tx, userId);
  await notify(services, tx, {
    userId,
    kind: "taskGiven",
    eventKey: `task-given:${row.id}:${row.version}`,
    topic: `task:${row.id}`,
    about: {
      task: row.title,
      ...(!isStudents && { student: student.name }),
      ...(row.note && { note: row.note }),
      ...(due && { due: deadlineText(due, zone, new Date()), strictness: strictnessWords(due.hard) }),
    },
    ids: { studentId: student.id, taskId: row.id },
    path: isStudents ? "/student-dashboard" : studentPath(student),
  });
}

type Change = { taskId: string; version: number; title: string; text: string; due: DeadlineForm | null };

/** Changes an open task. */
export async function changeTask(services: Services, actor: Actor, change: Change): Promise<void> {
  await services.database.transaction(async (tx) => {
    const student = await lockForResponsible(tx, actor, await studentOfTask(tx, change.taskId));
    const row = await taskForUpdate(tx, change.taskId);
    if (row.version !== change.version || row.state !== "open") throw Refusal.conflict();
    const terms = checkTask(change);
    if ("code" in terms) throw Refusal.of(terms);
    const due = await checkedDeadline(tx, student.id, change.due);
    const [after] = await tx
      .update(task)
      .set({ ...terms, ...due, version: row.version + 1, updatedAt: new Date() })
      .where(eq(task.id, row.id))
      .returning();
    await recordTask(tx, "task-changed", actor, row);
    if (after && after.dueAt?.getTime() !== row.dueAt?.getTime())
      await notifyOwner(services, tx, actor, student, after);
    await broadcastDashboards(services, tx, "plan", student.id, student.assignedAgentId, actor.userId);
  });
}

async function studentOfTask(db: Reader, id: string): Promise<string | null> {
  const [row] = await db.select({ studentId: task.studentId }).from(task).where(eq(task.id, id));
  return row?.studentId ?? null;
}

async function taskForUpdate(tx: Transaction, id: string): Promise<TaskRow> {
  const [row] = await tx.select().from(task).where(eq(task.id, id)).for("update");
  if (!row) throw new Refusal("not-found");
  return row;
}

type Move = { taskId: string; version: number; to: TaskState; note: string };

/** Moves a task to another state, for its student, the student's agent or an admin. */
export async function moveTask(services: Services, actor: Actor, move: Move): Promise<void> {
  await services.database.transaction(async (tx) => {
    const status = await lockStatus(tx, actor.userId);
    const student = await lockStudent(tx, await studentOfTask(tx, move.taskId));
    const mover = status && { ...status, id: actor.userId };
    if (!student || !mover || moverOf(mover, student) === null) throw new Refusal("not-found");
    const row = await taskForUpdate(tx, move.taskId);
    const byStudent = actor.userId === student.id;
    // Students can't see other people's tasks.
    if (byStudent && row.owner !== "student") throw new Refusal("not-found");
    if (row.version !== move.version) throw Refusal.conflict();
    const outcome = decideTask(byStudent ? "student" : "staff", row, move.to, move.note);
    if (outcome.kind === "conflict") throw Refusal.conflict();
    if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
    const after = { ...row, state: outcome.state, note: outcome.note, version: row.version + 1 };
    const { state, note, version } = after;
    await tx.update(task).set({ state, note, version, updatedAt: new Date() }).where(eq(task.id, row.id));
    await recordTask(tx, "task-moved", actor, after);
    if (byStudent) await notify(services, tx, ...(await notificationsOfDone(tx, student, after)));
    else if (state === "open") await notifyOwner(services, tx, actor, student, after);
    await broadcastDashboards(services, tx, "plan", student.id, student.assignedAgentId, actor.userId);
  });
}

async function notificationsOfDone(
  tx: Transaction,
  student: StudentRecord,
  row: TaskRow,
): Promise<NewNotification[]> {
  if (row.state !== "done") return [];
  return (await staffOf(tx, student.id, "guidance")).map((userId) => ({
    userId,
    kind: "taskDone",
    eventKey: `task-done:${row.id}:${row.version}`,
    topic: `task:${row.id}`,
    about: { student: student.name, task: row.title },
    ids: { studentId: student.id, taskId: row.id },
    path: pathToStudent(student, userId),
  }));
}
