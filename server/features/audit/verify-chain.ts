import type pg from "pg";
import { z } from "zod";

/** The end of the chain, which vouches for every entry up to there. `hash` is hexadecimal. */
export type Head = { position: number; hash: string };
/** The progress of a check: links up to a position, entries up to an id. */
export type ChainPosition = { position: number; id: number };
type Queries = Pick<pg.Client, "query">;

export const start: ChainPosition = { position: 0, id: 0 };
/** Links, or entries, that one statement checks. */
const batchSize = 10_000;
/** Problems that are reported at most; the first ones are enough. */
const maxProblems = 100;

/** The text of an entry that is hashed, written out here so that a tampered database function can't hide changes. */
const entryText = `jsonb_build_array(a.id, (extract(epoch from a.at) * 1000000)::bigint, a.action, a.actor_id,
  a.subject_id, a.address, a.detail)::text`;

/**
 * Joins each link to the previous one and to its entry. The first link may have no predecessor: where old entries were
 * removed, an entry names it.
 */
const linksText = `
  with judged as (
    select c.position, case
      when a.id is null and c.position = (select min(position) from audit_chain) then case
        when not exists (select from audit where action = 'audit-trimmed'
          and detail ->> 'position' = c.position::text and detail ->> 'hash' = c.hash)
        then 'is the first, and no entry says that those before it were removed' end
      when a.id is null then 'has lost its entry ' || c.audit_id
      when earlier.position is null and c.position <> 1 then 'has lost the link before it'
      when c.hash <> encode(sha256(convert_to(coalesce(earlier.hash, '') || ${entryText}, 'UTF8')), 'hex')
        then 'does not fit its entry ' || a.id || ': one of them was changed'
    end as problem
    from (select * from audit_chain where position > $1 order by position limit ${batchSize}) c
    left join audit a on a.id = c.audit_id
    left join audit_chain earlier on earlier.position = c.position - 1)
  select coalesce(max(position), $1)::text as last, count(*)::int as count,
    coalesce(json_agg('Link ' || position || ' ' || problem order by position) filter (where problem is not null),
      '[]') as problems
  from judged`;

/** Selects entries without a link. */
const entriesText = `
  select coalesce(max(a.id), $1)::text as last, count(*)::int as count,
    coalesce(json_agg('Entry ' || a.id || ' is in no link' order by a.id) filter (where c.audit_id is null), '[]')
      as problems
  from (select id from audit where id > $1 order by id limit ${batchSize}) a
  left join audit_chain c on c.audit_id = a.id`;

type BatchResult = { last: string; count: number; problems: string[] };

async function checkBatch(db: Queries, text: string, after: number): Promise<BatchResult> {
  const { rows } = await db.query<BatchResult>(text, [after]);
  return rows[0] ?? { last: String(after), count: 0, problems: [] };
}

/** `place` is where the check stopped; `complete` means that this is the end of the log. */
export type ChainCheck = { place: ChainPosition; complete: boolean; problems: string[] };

/** Checks the entries after a place, in at most `batches` batches of a bounded number of entries. */
export async function verifyChain(db: Queries, from: ChainPosition, batches: number): Promise<ChainCheck> {
  const problems: string[] = [];
  let place = from;
  for (let batch = 0; batch < batches; batch++) {
    const links = await checkBatch(db, linksText, place.position);
    const entries = await checkBatch(db, entriesText, place.id);
    problems.push(...[...links.problems, ...entries.problems].slice(0, maxProblems - problems.length));
    place = { position: Number(links.last), id: Number(entries.last) };
    if (links.count < batchSize && entries.count < batchSize) return { place, complete: true, problems };
  }
  return { place, complete: false, problems };
}

/** Returns the end of the chain; null while the log is empty. */
export async function headOf(db: Queries): Promise<Head | null> {
  const { rows } = await db.query<{ position: string; hash: string }>(
    "select position, hash from audit_chain order by position desc limit 1",
  );
  const [row] = rows;
  return row ? { position: Number(row.position), hash: row.hash } : null;
}

/** Formats a head for logs and commands: "1234:5e88…". */
export const headText = ({ position, hash }: Head): string => `${position}:${hash}`;

const headForm = z
  .string()
  .regex(/^\d{1,15}:[0-9a-f]{64}$/)
  .transform((text): Head => {
    const [position, hash = ""] = text.split(":");
    return { position: Number(position), hash };
  });

export const readHead = (text: string | undefined): Head | null => headForm.safeParse(text).data ?? null;

/** Checks that the log may once have had this head; returns the problem, or null. */
export async function compareHead(db: Queries, { position, hash }: Head): Promise<string | null> {
  const { rows } = await db.query<{ hash: string | null; first: string | null }>(
    `select (select hash from audit_chain where position = $1) as hash, min(position) as first from audit_chain`,
    [position],
  );
  const [row] = rows;
  if (row?.hash === hash) return null;
  if (row?.hash) return `Link ${position} is not the one that it was: the log was written anew`;
  if (row?.first && Number(row.first) > position) return null;
  return `Link ${position} is gone: the end of the log was removed`;
}
