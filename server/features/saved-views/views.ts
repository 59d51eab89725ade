import { randomUUID } from "node:crypto";
import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { SavedView } from "#contract/saved-views.ts";
import { type StudentView, studentView } from "#contract/student-rows.ts";
import { isAdmin, mayManageStudents } from "#domain/permission.ts";
import { savedViewLimits, viewCount, viewNameProblem } from "#domain/saved-view.ts";
import { lockActor } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { countStudents } from "#server/features/students/list-students.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { savedView } from "./tables.ts";

type Row = typeof savedView.$inferSelect;
type Viewer = Pick<Session, "userId" | "role" | "status">;

const visibleTo = (userId: string) => or(isNull(savedView.ownerId), eq(savedView.ownerId, userId));

const viewFor = (viewer: Viewer, { id, name, view, columns, ownerId }: Row): SavedView => ({
  id,
  name,
  view: studentView.parse(view),
  columns,
  shared: ownerId === null,
  mayChange: ownerId !== null || isAdmin(viewer),
});

/** Lists the viewer's own views and the shared ones, by name. */
export async function viewsOf(db: Reader, viewer: Viewer): Promise<SavedView[]> {
  const rows = await db
    .select()
    .from(savedView)
    .where(visibleTo(viewer.userId))
    .orderBy(asc(sql`lower(${savedView.name})`), asc(savedView.id));
  return rows.map((row) => viewFor(viewer, row));
}

type NewView = Pick<SavedView, "name" | "view" | "columns" | "shared">;

/** Saves a view, or replaces the one of the same name. */
export async function saveView(
  database: Pick<Database, "transaction">,
  actor: Actor,
  { shared, ...view }: NewView,
): Promise<SavedView> {
  const problem = viewNameProblem(view.name);
  if (problem) throw Refusal.of(problem);
  return await database.transaction(async (tx) => {
    const account = await lockActor(tx, actor, shared ? isAdmin : mayManageStudents);
    const ownerId = shared ? null : actor.userId;
    // Two concurrent calls must not both find room for one more.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`saved views of ${ownerId ?? "all"}`}))`);
    const isOfOwner = ownerId === null ? isNull(savedView.ownerId) : eq(savedView.ownerId, ownerId);
    const name = view.name.trim();
    const others = await tx.$count(savedView, and(isOfOwner, sql`${savedView.name} <> ${name}`));
    if (others >= savedViewLimits.views) {
      const message = `There are ${savedViewLimits.views} saved views already. Please remove one first.`;
      throw new Refusal("resource-exhausted", { message });
    }
    const [row] = await tx
      .insert(savedView)
      .values({ ...view, id: randomUUID(), name, ownerId })
      .onConflictDoUpdate({
        target: [savedView.ownerId, savedView.name],
        set: { view: view.view, columns: view.columns },
      })
      .returning();
    if (!row) throw new Error("a view was not saved");
    return viewFor({ ...account, userId: account.id }, row);
  });
}

/** Removes the actor's own view, or as an admin a shared one. */
export async function removeView(
  database: Pick<Database, "transaction">,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const account = await lockActor(tx, actor, mayManageStudents);
    const mayRemove = isAdmin(account) ? visibleTo(account.id) : eq(savedView.ownerId, account.id);
    const rows = await tx
      .delete(savedView)
      .where(and(eq(savedView.id, id), mayRemove))
      .returning({ id: savedView.id });
    if (rows.length === 0) throw new Refusal("not-found");
  });
}

type Count = { students: number; more: boolean; countedAt: Date };
type CountRequest = { viewerId: string; view: StudentView };

/**
 * Counts the students of a view. The number is cached for some seconds, for all viewers who share it. The clock runs in
 * milliseconds.
 */
export function createStudentCounts({ db }: Pick<Database, "db">, clock: { now(): number } = performance) {
  const counts = new LRUCache<string, Count, CountRequest>({
    max: 1_000,
    ttl: viewCount.seconds * 1000,
    perf: clock,
    async fetchMethod(_key, _stale, { context: { viewerId, view } }) {
      const countedAt = new Date();
      const students = await countStudents(db, viewerId, view, viewCount.most);
      return { students: Math.min(students, viewCount.most), more: students > viewCount.most, countedAt };
    },
  });
  return ({ viewerId, view }: CountRequest): Promise<Count> => {
    const { sort: _sort, direction: _direction, ...filters } = view;
    const { filter, waiting, deposit, fits } = view;
    const isPersonal = filter === "mine" || [waiting, deposit, fits].some((each) => each !== undefined);
    const key = JSON.stringify([isPersonal ? viewerId : null, filters]);
    return counts.forceFetch(key, { context: { viewerId, view } });
  };
}

/** Returns a view that the viewer can see. */
export async function viewById(db: Reader, viewer: Viewer, id: string): Promise<SavedView> {
  const [row] = await db
    .select()
    .from(savedView)
    .where(and(eq(savedView.id, id), visibleTo(viewer.userId)));
  if (!row) throw new Refusal("not-found");
  return viewFor(viewer, row);
}
