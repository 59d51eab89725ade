import { and, eq, inArray } from "drizzle-orm";
import { type StaffSubject, staffOfEach } from "#server/features/assignments/staff.ts";
import type { NewsCheck } from "#server/features/notifications/current-news.ts";
import type { Reader } from "#server/platform/database.ts";
import { thingsNamed } from "./queries.ts";
import { request, task } from "./tables.ts";

type PlanKind = "requestMade" | "requestSentBack" | "requestSupplied" | "taskGiven" | "taskDone";
type ThingKind = "request" | "task";

/** Finds the people who have to act on these requests or tasks now, by id; nobody acts on one that is settled. */
type Actors = (db: Reader, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Keeps news of a request or a task while its reader is one of those who have to act on it. */
const whileToAct =
  (kind: ThingKind, actorsOf: Actors): NewsCheck<PlanKind> =>
  async (db, news) => {
    const idOf = ({ ids }: (typeof news)[number]) => ids?.[`${kind}Id`] ?? "";
    const actors = await actorsOf(db, news.map(idOf));
    return news.filter((each) => actors.get(idOf(each))?.includes(each.userId));
  };

const owners =
  (kind: ThingKind): Actors =>
  async (db, ids) => {
    const things = await thingsNamed(
      db,
      ids.map((id) => `${kind}:${id}`),
    );
    return new Map(things.map(({ id, ownerId }) => [id, ownerId === null ? [] : [ownerId]]));
  };

/** The people who look at what a student has sent. */
const reviewers: Actors = async (db, ids) => {
  const rows = await db
    .select({ id: request.id, studentId: request.studentId })
    .from(request)
    .where(and(inArray(request.id, [...ids]), eq(request.state, "supplied")));
  return await answering(db, rows, "papers");
};

/** The people who look at what a student has done. */
const checkers: Actors = async (db, ids) => {
  const rows = await db
    .select({ id: task.id, studentId: task.studentId })
    .from(task)
    .where(and(inArray(task.id, [...ids]), eq(task.state, "done")));
  return await answering(db, rows, "guidance");
};

async function answering(
  db: Reader,
  rows: readonly { id: string; studentId: string }[],
  matter: StaffSubject,
) {
  const staff = await staffOfEach(
    db,
    rows.map(({ studentId }) => studentId),
    matter,
  );
  return new Map(rows.map(({ id, studentId }) => [id, staff.get(studentId) ?? []]));
}

/** Checks news of requests and tasks once more before it leaves. */
export const currentPlan = {
  requestMade: whileToAct("request", owners("request")),
  requestSentBack: whileToAct("request", owners("request")),
  requestSupplied: whileToAct("request", reviewers),
  taskGiven: whileToAct("task", owners("task")),
  taskDone: whileToAct("task", checkers),
} satisfies { [Kind in PlanKind]: NewsCheck<Kind> };
