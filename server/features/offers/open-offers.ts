import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { WaitingOffer } from "#contract/offers.ts";
import { isOfferState, offerStates } from "#domain/offer.ts";
import { offersPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { deadlineOf } from "#server/features/planner/deadline-columns.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { ascending, type Cursor, cursorForm, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { conditionsOf, replyBy } from "./queries.ts";
import { offer } from "./tables.ts";

const countOf = (condition: string) => sql<number>`(
  select count(*)::int from offer_condition where offer_id = ${offer.id} ${sql.raw(condition)})`;
/** Offers without a reply-by date come last. */
const untilReply = sql<Date>`coalesce(${offer.dueAt}, timestamptz '9999-01-01')`.mapWith(offer.dueAt);
const order = ascending(untilReply, application.id);
export const offerCursor = cursorForm("time", "text");

/** The open offers of an agent's students, or of all students for an admin. */
const openFor = ({ role, userId }: Session) =>
  and(
    inArray(application.state, offerStates),
    eq(user.role, "student"),
    eq(user.status, "active"),
    role === "admin" ? undefined : eq(user.assignedAgentId, userId),
  );

/** Lists open offers by reply-by date, earliest first. */
export async function offersToAnswer(
  db: Reader,
  session: Session,
  { cursor, limit = offersPerPage }: { cursor: Cursor | null; limit?: number | undefined },
) {
  const candidates = await db
    .select({
      applicationId: application.id,
      student: { id: user.id, name: user.name },
      program: application.program,
      intake: application.startDate,
      university: application.university,
      year: application.intakeYear,
      state: application.state,
      rank: offer.rank,
      ...replyBy,
      all: countOf(""),
      settled: countOf("and state in ('met', 'waived')"),
      claimed: countOf("and state = 'claimed'"),
      untilReply,
    })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .leftJoin(offer, eq(offer.applicationId, application.id))
    .where(and(openFor(session), order.after(cursor)))
    .orderBy(...order.by)
    .limit(limit + 1);
  const { rows, next } = paginate(candidates, limit, (last) =>
    writeCursor([last.untilReply, last.applicationId]),
  );
  const offers = rows.flatMap(({ state, all, settled, claimed, rank, ...row }): WaitingOffer[] =>
    isOfferState(state)
      ? [
          {
            applicationId: row.applicationId,
            student: row.student,
            program: row.program,
            intake: row.intake,
            university: row.university,
            year: row.year,
            state,
            replyBy: deadlineOf(row),
            rank,
            conditions: { all, settled, claimed },
          },
        ]
      : [],
  );
  const counts = cursor === null ? await countToAnswer(db, session) : { total: null, overdue: null };
  return { offers, next, ...counts };
}

/** Counts the open offers that `offersToAnswer` lists, and those whose time to reply has passed. */
async function countToAnswer(db: Reader, session: Session) {
  const [counts] = await db
    .select({
      total: sql<number>`count(*)::int`,
      overdue: sql<number>`(count(*) filter (where ${offer.dueAt} <= now()))::int`,
    })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .leftJoin(offer, eq(offer.applicationId, application.id))
    .where(openFor(session));
  return counts ?? { total: 0, overdue: 0 };
}

/**
 * Returns the open offer that a student should see first: unconditional before conditional, then the earliest reply-by
 * date.
 */
export async function mostUrgentOffer(db: Reader, studentId: string) {
  const rows = await db
    .select({
      id: application.id,
      offerId: offer.id,
      program: application.program,
      intake: application.startDate,
      university: application.university,
      year: application.intakeYear,
      state: application.state,
      ...replyBy,
    })
    .from(application)
    .innerJoin(offer, eq(offer.applicationId, application.id))
    .where(
      and(
        eq(application.studentId, studentId),
        inArray(application.state, offerStates),
        // A conditional offer only needs action while one of its conditions is open.
        sql`(${application.state} = 'unconditionalOffer' or exists (
          select from offer_condition where offer_id = ${offer.id} and state = 'open'))`,
      ),
    )
    .orderBy(desc(application.state), asc(untilReply), asc(application.id))
    .limit(1);
  const [row] = rows;
  if (!row || !isOfferState(row.state)) return null;
  const conditions = await conditionsOf(db, row.offerId);
  const open = conditions.filter(({ state }) => state === "open");
  const byDue = (condition: (typeof open)[number]) => condition.dueAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const next = open.toSorted((one, other) => byDue(one) - byDue(other))[0];
  return {
    id: row.id,
    program: row.program,
    intake: row.intake,
    university: row.university,
    year: row.year,
    state: row.state,
    replyBy: deadlineOf(row),
    openConditions: open.length,
    nextCondition: next ? { text: next.text, due: deadlineOf(next) } : null,
  };
}
