import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { StudyCountry } from "#domain/application.ts";
import { checkInstitutionForm, zoneOfCountry } from "#domain/catalogue.ts";
import type { InstitutionEntry } from "#domain/programme.ts";
import type { Reader } from "#server/platform/database.ts";
import { rowsOf } from "../store-requirements.ts";

export type KnownInstitution = { id: string; name: string; country: StudyCountry; zone: string };
type InstitutionName = Pick<InstitutionEntry, "name" | "country">;

/** Returns the key of the institution of a row: its country and name. */
export const institutionKey = ({ country, name }: InstitutionName): string =>
  `${country} ${name.trim().toLowerCase()}`;

/**
 * Finds the institutions with these names or other names, by their keys. For a joined one, returns the one that it was
 * joined into. With `lock`, they can't change until the transaction ends.
 */
export async function findInstitutions(
  db: Reader,
  institutions: readonly InstitutionName[],
  lock: boolean,
): Promise<Map<string, KnownInstitution>> {
  const names = [...new Map(institutions.map((each) => [institutionKey(each), each]))].map(
    ([key, { country, name }]) => ({ key, country, name: name.trim() }),
  );
  const { rows } = await db.execute<{ key: string; id: string }>(sql`
    with named as (
      select id, country, lower(name) as name, joined_to is not null as is_other, joined_to from institution
      union all
      select id, country, lower(other), true, joined_to from institution cross join unnest(other_names) other)
    select distinct on (wanted.key) wanted.key, coalesce(named.joined_to, named.id) as id
    from jsonb_to_recordset(${rowsOf(names)}) as wanted (key text, country text, name text)
    join named on named.country = wanted.country and named.name = lower(wanted.name)
    order by wanted.key, named.is_other, named.id`);
  const ids = [...new Set(rows.map(({ id }) => id))];
  const result = await db.execute<KnownInstitution>(sql`select id, name, country, zone from institution
    where id in (select jsonb_array_elements_text(${rowsOf(ids)})::uuid) and joined_to is null
    order by id ${lock ? sql`for share` : sql``}`);
  const byId = new Map(result.rows.map((row) => [row.id, row]));
  return new Map(
    rows.flatMap(({ key, id }) => {
      const at = byId.get(id);
      return at ? [[key, at] as const] : [];
    }),
  );
}

/** Returns a new institution from a row, or its problem. */
export function newInstitution(entry: InstitutionEntry): InstitutionEntry | { problem: string } {
  const zone = entry.zone.trim() === "" ? zoneOfCountry[entry.country] : entry.zone;
  if (zone === null)
    return { problem: "The catalogue doesn't have this institution yet: please give its time zone." };
  const institution = checkInstitutionForm({ ...entry, zone });
  return "code" in institution ? { problem: institution.message } : institution;
}

/** Adds institutions, and returns them by their keys. One that was added concurrently stays as it is. */
export async function addInstitutions(
  tx: Reader,
  institutions: readonly InstitutionEntry[],
): Promise<Map<string, KnownInstitution>> {
  if (institutions.length === 0) return new Map();
  const rows = institutions
    .map((entry) => ({ id: randomUUID(), key: institutionKey(entry), ...entry }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  await tx.execute(sql`insert into institution (id, name, country, place, zone, website)
    select id, name, country, place, zone, website from jsonb_to_recordset(${rowsOf(rows)})
      as row (id uuid, name text, country text, place text, zone text, website text)
    on conflict do nothing`);
  return await findInstitutions(tx, institutions, true);
}
