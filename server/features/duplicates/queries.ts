import { inArray, sql } from "drizzle-orm";
import type { DuplicateGroupRow } from "#contract/duplicates.ts";
import { type Clue, type ClueKind, joinClues, mostInGroup, type Verdict } from "#domain/duplicates.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import type { Reader } from "#server/platform/database.ts";

const maxGroups = 100;
/** Clues that are read at a time; several of them can join into one group. */
const maxClues = 500;

/** Facts are compared ignoring punctuation, spaces and case. Phone numbers under seven digits identify nobody. */
const openClues = sql`
  with student as (
    select id, created_at, regexp_replace(phone, '[^0-9]', '', 'g') as phone,
      lower(last_name) || ' ' || date_of_birth as name_and_birth,
      upper(regexp_replace(passport_number, '[^[:alnum:]]', '', 'g')) as passport,
      upper(regexp_replace(postal_code, '[^[:alnum:]]', '', 'g')) as postcode
    from "user" left join profile on user_id = id
    where role = 'student'
  ), clue as (
    select 'passport' as kind, name_and_birth || ' ' || passport as fact, id, created_at from student where passport <> ''
    union all
    select 'postcode', name_and_birth || ' ' || postcode, id, created_at from student where postcode <> ''
    union all
    select 'phone', phone, id, created_at from student where length(phone) >= 7
  ), shared as (
    select kind, array_agg(id order by created_at, id) as "accountIds", max(created_at) as latest
    from clue where fact is not null
    group by kind, fact having count(*) between 2 and ${mostInGroup}
  )
  select kind, "accountIds" from shared
  where not exists (
    select from duplicate_decision where account_id = any("accountIds")
    group by duplicate_decision.id having count(*) = cardinality("accountIds"))
  order by latest desc, "accountIds" limit ${maxClues + 1}`;

type Decision = NonNullable<DuplicateGroupRow["decision"]>;
type Group = { accountIds: string[]; clues: ClueKind[]; decision: Decision | null };

async function openGroups(db: Reader): Promise<{ groups: Group[]; more: boolean }> {
  const { rows } = await db.execute<Clue & Record<string, unknown>>(openClues);
  const groups = joinClues(rows.slice(0, maxClues));
  return {
    groups: groups.slice(0, maxGroups).map((group) => ({ ...group, decision: null })),
    more: groups.length > maxGroups || rows.length > maxClues,
  };
}

type DecisionRow = { id: string; accountIds: string[]; verdict: Verdict; by: string; at: Date };

async function decidedGroups(db: Reader): Promise<{ groups: Group[]; more: boolean }> {
  const { rows } = await db.execute<DecisionRow>(sql`
    select decision.id, array_agg(account_id order by account_id) as "accountIds", verdict,
      coalesce(max(admin.name), 'Somebody') as by, decided_at as at
    from duplicate_decision decision left join "user" admin on admin.id = decided_by
    group by decision.id, verdict, decided_at
    order by decided_at desc, decision.id limit ${maxGroups + 1}`);
  const groups = rows.slice(0, maxGroups).map(
    ({ accountIds, id, verdict, by, at }): Group => ({
      accountIds,
      clues: [],
      decision: { id, verdict, by, at: new Date(at) },
    }),
  );
  return { groups, more: rows.length > maxGroups };
}

async function membersOf(db: Reader, groups: readonly Group[]) {
  const ids = groups.flatMap(({ accountIds }) => accountIds);
  const members = await db
    .select({
      id: user.id,
      name: user.name,
      email: user.email,
      agent: sql<string | null>`(select name from "user" agent where agent.id = ${user.assignedAgentId})`,
      applications: db.$count(application, sql`${application.studentId} = ${user.id}`),
      disabled: sql<boolean>`${user.status} = 'disabled'`,
      joinedAt: user.createdAt,
      lastLoginAt: user.lastLoginAt,
    })
    .from(user)
    .where(inArray(user.id, ids));
  return new Map(members.map((member) => [member.id, member]));
}

/** Lists the groups of students who may have two accounts, or the latest decisions about such groups. */
export async function listDuplicates(
  db: Reader,
  show: "open" | "decided",
): Promise<{ groups: DuplicateGroupRow[]; more: boolean }> {
  const { groups, more } = show === "open" ? await openGroups(db) : await decidedGroups(db);
  const members = await membersOf(db, groups);
  return {
    groups: groups.map(({ accountIds, clues, decision }) => ({
      members: accountIds.flatMap((id) => members.get(id) ?? []),
      clues,
      decision,
    })),
    more,
  };
}
