import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { AuditEntry, AuditFilter } from "#contract/audit.ts";
import { operator } from "#domain/audit.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { auditPeople } from "#domain/audit-detail.ts";
import { normaliseEmail } from "#domain/email.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { audit, auditChain } from "#server/features/audit/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { type Cursor, cursorForm, descending, paginate } from "#server/platform/keyset-list.ts";

/** Times have microseconds, as in PostgreSQL: JavaScript's milliseconds would repeat or miss entries between pages. */
const exactly = sql<string>`to_char(${audit.at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const newest = descending(audit.at, audit.id);
export const auditCursor = cursorForm("exactTime", "number");

const [actor, deniedActor] = [alias(user, "actor"), alias(deniedAgent, "denied_actor")];
const [subject, deniedSubject] = [alias(user, "subject"), alias(deniedAgent, "denied_subject")];

/**
 * The person whom a filter names: an account, the operator, null for an unknown email, or undefined without a filter.
 */
type Match = { id: string } | typeof operator | null | undefined;

/** Finds a person by the email of an account or a denied agent, or by an account's id, which outlives the account. */
async function find(db: Reader, input: string): Promise<Match> {
  const text = input.trim();
  if (text === "") return undefined;
  if (text.toLowerCase() === operator) return operator;
  if (!text.includes("@")) return { id: text };
  const email = normaliseEmail(text);
  const [holder] = await db.select({ id: user.id }).from(user).where(eq(user.email, email));
  if (holder) return holder;
  const [denied] = await db
    .select({ id: deniedAgent.id })
    .from(deniedAgent)
    .where(eq(deniedAgent.email, email));
  return denied ?? null;
}

const byActor = (by: NonNullable<Match>): SQL | undefined =>
  by === operator
    ? and(isNull(audit.actorId), sql`${audit.detail} ->> 'by' = ${operator}`)
    : eq(audit.actorId, by.id);

/** Condition on entries, and the filters in a form that the audit log itself may hold, with accounts as ids. */
export type AuditQuery = { condition: SQL | undefined; filters: AuditDetail };

/** Looks up the people whom a filter names and builds the query; null if no entry can match. */
export async function auditQuery(db: Reader, filter: AuditFilter): Promise<AuditQuery | null> {
  const { action, from, before } = filter;
  const by = await find(db, filter.actor);
  const about = await find(db, filter.subject);
  if (by === null || about === null || about === operator) return null;
  const condition = and(
    action && eq(audit.action, action),
    by && byActor(by),
    about && eq(audit.subjectId, about.id),
    from && sql`${audit.at} >= ${from.toISOString()}::timestamptz`,
    before && sql`${audit.at} < ${before.toISOString()}::timestamptz`,
  );
  const filters = {
    ...(action && { action }),
    ...(by && { actor: by === operator ? operator : by.id }),
    ...(about && { subject: about.id }),
    ...(from && { from: from.toISOString() }),
    ...(before && { before: before.toISOString() }),
  };
  return { condition, filters };
}

const detailOf = z.record(z.string(), z.coerce.string()).catch({});

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

function actorOf({ actorId, actorEmail, address }: Row, by: string | undefined): AuditEntry["actor"] {
  if (actorId !== null) return { kind: "account", id: actorId, email: actorEmail };
  if (by === operator) return { kind: "operator" };
  return { kind: address === null ? "server" : "visitor" };
}

/** `position` and `hash` are those of the entry's link; null for an entry without one. */
export type LinkedEntry = AuditEntry & { position: number | null; hash: string | null };

function entryOf(row: Row): LinkedEntry {
  const { id, at, action, subjectId, subjectEmail, address, position, hash } = row;
  const { by, ...detail } = detailOf.parse(row.detail ?? {});
  const who = actorOf(row, by);
  const about = subjectId === null ? null : { id: subjectId, email: subjectEmail };
  return {
    id,
    at,
    action,
    actor: who,
    subject: about,
    address,
    detail: by === undefined || who.kind === "operator" ? detail : { by, ...detail },
    position,
    hash,
  };
}

const rowsOf = (db: Reader, condition: SQL | undefined, size: number) =>
  db
    .select({
      id: audit.id,
      at: audit.at,
      exactly,
      action: audit.action,
      actorId: audit.actorId,
      actorEmail: sql<string | null>`coalesce(${actor.email}, ${deniedActor.email})`,
      subjectId: audit.subjectId,
      subjectEmail: sql<string | null>`coalesce(${subject.email}, ${deniedSubject.email})`,
      address: audit.address,
      detail: audit.detail,
      position: auditChain.position,
      hash: auditChain.hash,
    })
    .from(audit)
    .leftJoin(actor, eq(actor.id, audit.actorId))
    .leftJoin(deniedActor, eq(deniedActor.id, audit.actorId))
    .leftJoin(subject, eq(subject.id, audit.subjectId))
    .leftJoin(deniedSubject, eq(deniedSubject.id, audit.subjectId))
    .leftJoin(auditChain, eq(auditChain.auditId, audit.id))
    .where(condition)
    .orderBy(...newest.by)
    .limit(size);

/** Lists a page of the audit log, newest first; `next` is null on the last one. */
export async function listAudit(
  db: Reader,
  query: AuditQuery | null,
  cursor: Cursor | null,
  size = adminRowsPerPage,
) {
  if (!query) return { entries: [], next: null };
  const candidates = await rowsOf(db, and(query.condition, newest.after(cursor)), size + 1);
  const { rows, next } = paginate(candidates, size, (last): Cursor => [last.exactly, String(last.id)]);
  return { entries: rows.map(entryOf), next };
}

/** Returns the names of the people whose ids are in the entries' details and who still have an account. */
export async function peopleIn(
  db: Reader,
  entries: readonly Pick<AuditEntry, "detail">[],
): Promise<Record<string, string>> {
  const ids = entries.flatMap(({ detail }) => auditPeople.flatMap((key) => detail[key] ?? []));
  if (ids.length === 0) return {};
  const people = await db
    .select({ id: user.id, name: user.name })
    .from(user)
    .where(sql`${user.id} = any(${sql.param([...new Set(ids)])}::text[])`);
  return Object.fromEntries(people.map(({ id, name }) => [id, name]));
}
