import { and, eq, inArray } from "drizzle-orm";
import { type StaffSubject, staffOfEach } from "#server/features/assignments/staff.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Reader } from "#server/platform/database.ts";
import { itemsByName } from "./queries.ts";
import { request, task } from "./tables.ts";

type PlanKind = "requestMade" | "requestSentBack" | "requestSupplied" | "taskGiven" | "taskDone";
type ThingKind = "request" | "task";

/** Finds the people who must act on each request or task now, by its id. A settled one has none. */
type ActorFinder = (db: Reader, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Keeps notifications about a request or a task while the reader is one of those who must act on it. */
const whileToAct =
  (kind: ThingKind, actorsOf: ActorFinder): NotificationCheck<PlanKind> =>
  async (db, notifications) => {
    const idOf = ({ ids }: (typeof notifications)[number]) => ids?.[`${kind}Id`] ?? "";
    const actors = await actorsOf(db, notifications.map(idOf));
    return notifications.filter((each) => actors.get(idOf(each))?.includes(each.userId));
  };

const owners =
  (kind: ThingKind): ActorFinder =>
  async (db, ids) => {
    const things = await itemsByName(
      db,
      ids.map((id) => `${kind}:${id}`),
    );
    return new Map(things.map(({ id, ownerId }) => [id, ownerId === null ? [] : [ownerId]]));
  };

/** Finds the staff who review what a student has sent. */
const reviewers: ActorFinder = async (db, ids) => {
  const rows = await db
    .select({ id: request.id, studentId: request.studentId })
    .from(request)
    .where(and(inArray(request.id, [...ids]), eq(request.state, "supplied")));
  return await responsibleStaff(db, rows, "papers");
};

/** Finds the staff who check what a student has done. */
const checkers: ActorFinder = async (db, ids) => {
  const rows = await db
    .select({ id: task.id, studentId: task.studentId })
    .from(task)
    .where(and(inArray(task.id, [...ids]), eq(task.state, "done")));
  return await responsibleStaff(db, rows, "guidance");
};

async function responsibleStaff(
  db: Reader,
  rows: readonly { id: string; studentId: string }[],
  subject: StaffSubject,
) {
  const staff = await staffOfEach(
    db,
    rows.map(({ studentId }) => studentId),
    subject,
  );
  return new Map(rows.map(({ id, studentId }) => [id, staff.get(studentId) ?? []]));
}

/** Rechecks notifications about requests and tasks before they are mailed. */
export const currentPlan = {
  requestMade: whileToAct("request", owners("request")),
  requestSentBack: whileToAct("request", owners("request")),
  requestSupplied: whileToAct("request", reviewers),
  taskGiven: whileToAct("task", owners("task")),
  taskDone: whileToAct("task", checkers),
} satisfies { [Kind in PlanKind]: NotificationCheck<Kind> };
