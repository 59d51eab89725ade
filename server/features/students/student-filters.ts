import { and, eq, type SQL, sql } from "drizzle-orm";
import type { StudentView } from "#contract/students.ts";
import { documentKinds } from "#domain/document.ts";
import {
  type DepositSituation,
  depositDueDays,
  quietDays,
  type StudentSort,
  statesIn,
  type WaitingSituation,
} from "#domain/student-list.ts";
import { user } from "#server/features/account/tables.ts";

/** The expression that each order compares, as in the indexes of `user`. */
export const sortKeys: Record<StudentSort, SQL<string>> = {
  name: sql<string>`lower(${user.name})`,
  email: sql<string>`${user.email}`,
  country: sql<string>`lower(country_name(${user.country}))`,
};

type Conditions = { [Name in keyof StudentView]?: (value: NonNullable<StudentView[Name]>) => SQL | null };

/** Maximum number of days until the deadline of a deposit. */
const depositDays: Record<DepositSituation, number> = { dueOrOverdue: depositDueDays, overdue: 0 };

/**
 * The conditions of filters on one of the student's applications; null for none. Each filter has a line here or in
 * `aboutStudent`.
 */
const aboutApplication: Conditions = {
  situation(situation) {
    const states = statesIn(situation);
    return states && sql`state = any(${sql.param([...states])}::text[])`;
  },
  intake: (intake) => sql`start_date = ${intake}`,
  year: (year) => sql`intake_year = ${Number(year)}`,
  destination: (country) => sql`${country} = any(country_codes)`,
  deposit: (deposit) => sql`id in (
    select application_id from due_thing
    where kind = 'deposit' and due_at <= now() + make_interval(days => ${depositDays[deposit]}))`,
};

const current = sql`student_id = "user".id and replaced_at is null`;
const documentsWith = (state: string) =>
  sql`"user".id in (select student_id from document where state = ${state} and replaced_at is null)`;
const countDocuments = (condition: SQL) =>
  sql`(select count(*) from document where ${current} and ${condition})`;

/** The conditions of filters on the student. The table is named in full, because a bare `id` would be a subquery's. */
const aboutStudent: Conditions = {
  situation(situation) {
    if (situation === "documentsToReview") return documentsWith("uploaded");
    return situation === "noApplication"
      ? sql`not exists (select from application where student_id = "user".id)`
      : null;
  },
  documents: (documents) =>
    ({
      toReview: documentsWith("uploaded"),
      rejected: documentsWith("rejected"),
      missing: sql`${countDocuments(sql`state <> 'rejected'`)} < ${documentKinds.length}`,
      approved: sql`${countDocuments(sql`state = 'approved'`)} = ${documentKinds.length}`,
    })[documents],
  country: (country) => sql`${sortKeys.country} = lower(country_name(${country}))`,
  agentId: (agentId) => eq(user.assignedAgentId, agentId),
};

/** The filters of a view that have conditions. */
const conditionNames = [
  "situation",
  "deposit",
  "intake",
  "year",
  "destination",
  "documents",
  "country",
  "agentId",
] as const;

/**
 * Returns the condition that the viewer is responsible for a student, so that agents learn nothing about other agents'
 * students by filtering.
 */
export const isResponsible = (viewerId: string) => sql`(${user.assignedAgentId} = ${viewerId}
  or exists (select from "user" viewer where viewer.id = ${viewerId} and viewer.role = 'admin'))`;

const waitingStudents: Record<WaitingSituation, SQL> = {
  overdue: sql`"user".status = 'active' and "user".id in (
    select student_id from due_thing where owner <> 'admin' and due_at <= now())`,
  messages: sql`"user".id in (select student_id from thread where waiting = 'staff')`,
  quiet: sql`not exists (select from thread where student_id = "user".id and last_number > 0
    and last_at > now() - make_interval(days => ${quietDays}))`,
};

/** Returns the condition that a filter by deposits only finds students for whom the viewer is responsible. */
export const depositsOf = ({ deposit }: StudentView, viewerId: string) =>
  deposit === undefined ? undefined : isResponsible(viewerId);

/** Returns the condition that something of this kind waits for the viewer about the student. */
export const waitsFor = (waiting: WaitingSituation, viewerId: string) =>
  and(isResponsible(viewerId), waitingStudents[waiting]);

const conditionsOf = (conditions: Conditions, view: StudentView): SQL[] =>
  conditionNames.flatMap((name) => conditionOfFilter(conditions, view, name) ?? []);

function conditionOfFilter<Name extends keyof StudentView>(
  conditions: { [Each in Name]?: (value: NonNullable<StudentView[Each]>) => SQL | null },
  view: Pick<StudentView, Name>,
  name: Name,
): SQL | null {
  const value = view[name];
  return value === undefined || value === null ? null : (conditions[name]?.(value) ?? null);
}

/** Whether any filter is chosen besides `filter`, which says whose students are listed. */
export const isFiltered = (view: StudentView) =>
  view.waiting !== undefined ||
  view.fits !== undefined ||
  conditionsOf(aboutApplication, view).length + conditionsOf(aboutStudent, view).length > 0;

/** Returns the combined conditions on one of the student's applications; undefined for none. */
export const applicationFilters = (view: StudentView): SQL | undefined =>
  and(...conditionsOf(aboutApplication, view));

export function matchesFacets(view: StudentView): SQL | undefined {
  const applied = applicationFilters(view);
  const ofApplication = applied && sql`"user".id in (select student_id from application where ${applied})`;
  return and(...conditionsOf(aboutStudent, view), ofApplication);
}
