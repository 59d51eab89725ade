import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CatalogueInstitution } from "#contract/catalogue-institutions.ts";
import type { StudyCountry } from "#domain/application.ts";
import { catalogueRowsPerPage } from "#protocol/page-sizes.ts";
import type { Reader } from "#server/platform/database.ts";
import { containing } from "#server/platform/escape.ts";
import { ascending, type Cursor, cursorForm, paginate } from "#server/platform/keyset-list.ts";
import { institution } from "../tables.ts";

const nameKey = sql<string>`folded(${institution.name})`;
const byName = ascending(nameKey, institution.id);
export const institutionCursor = cursorForm("text", "uuid");

const columns = {
  id: institution.id,
  name: institution.name,
  country: institution.country,
  place: institution.place,
  zone: institution.zone,
  website: institution.website,
  otherNames: institution.otherNames,
  version: institution.version,
  programmes: sql<number>`(select count(*) from programme
    where programme.institution_id = institution.id and programme.removed_at is null)`.mapWith(Number),
};

const hasWord = (word: string): SQL =>
  sql`folded(${institution.name} || ' ' || array_to_string(${institution.otherNames}, ' ') || ' ' || ${institution.place})
    like folded(${containing(word)})`;

type Query = {
  search: string;
  country?: StudyCountry | undefined;
  cursor: Cursor | null;
  limit?: number | undefined;
};

/** Lists institutions in the order of their names. */
export async function listInstitutions(db: Reader, { search, country, cursor, limit }: Query) {
  const words = search.split(/\s+/).filter((word) => word !== "");
  const size = limit ?? catalogueRowsPerPage;
  const rows = await db
    .select({ ...columns, nameKey })
    .from(institution)
    .where(
      and(
        isNull(institution.joinedTo),
        country && eq(institution.country, country),
        ...words.map(hasWord),
        byName.after(cursor),
      ),
    )
    .orderBy(...byName.by)
    .limit(size + 1);
  const page = paginate(rows, size, ({ nameKey: key, id }) => [key, id]);
  const institutions = page.rows.map(
    (row): CatalogueInstitution => ({
      id: row.id,
      name: row.name,
      country: row.country,
      place: row.place,
      zone: row.zone,
      website: row.website,
      otherNames: row.otherNames,
      version: row.version,
      programmes: row.programmes,
    }),
  );
  return { institutions, next: page.next };
}

/** Maximum number of listed pairs of likely duplicates. */
const maxPairs = 50;

/** A name without accents, punctuation, spaces and a leading "The", so that spellings of one name match. */
const bareName = sql`regexp_replace(regexp_replace(folded(name), '^the ', ''), '[^[:alnum:]]', '', 'g')`;
/** The host of a website without "www.". */
const host = sql`substring(website from '^https?://(?:www\\.)?([^/:?#]+)')`;

/** Returns institutions in the form of lists, by their ids. */
export async function institutionsById(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, CatalogueInstitution>> {
  const rows = await db
    .select(columns)
    .from(institution)
    .where(sql`${institution.id} = any(${sql.param([...new Set(ids)])}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Lists pairs of likely duplicates: institutions of one country with the same bare name or website, unless staff have
 * marked them as different.
 */
export async function similarInstitutions(db: Reader) {
  const pairs = await db.execute<{ one: string; other: string }>(sql`
    with bare as (
      select id, country, ${bareName} as bare, ${host} as host from institution where joined_to is null)
    select one.id as one, other.id as other from bare one
    join bare other on other.country = one.country and other.id > one.id
      and (other.bare = one.bare or other.host = one.host)
    where not exists (select from different_institutions where one_id = one.id and other_id = other.id)
    order by one.bare, one.id, other.id limit ${maxPairs}`);
  const byId = await institutionsById(
    db,
    pairs.rows.flatMap(({ one, other }) => [one, other]),
  );
  return {
    pairs: pairs.rows.flatMap(({ one, other }) => {
      const [first, second] = [byId.get(one), byId.get(other)];
      return first && second ? [{ one: first, other: second }] : [];
    }),
  };
}
