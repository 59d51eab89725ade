import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { CatalogueProgramme } from "#contract/catalogue.ts";
import { catalogueLimits } from "#domain/catalogue.ts";
import { uncheckedMonths } from "#domain/programme.ts";
import { catalogueRowsPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { ascending, type Cursor, cursorForm, paginate } from "#server/platform/keyset-list.ts";
import { Refusal } from "#server/refusal.ts";
import { entryForm, readEntries } from "../entries.ts";
import { isProgramme } from "../joined.ts";
import { institution, programme, programmeListing } from "../tables.ts";

const oldestFirst = ascending(programme.checkedOn, programme.id);
export const programmeCursor = cursorForm(z.iso.date(), "uuid");

/** The filters of the list for staff. */
const selections = {
  all: () => isNull(programme.removedAt),
  unchecked: () =>
    and(
      isNull(programme.removedAt),
      sql`${programme.checkedOn} < current_date - make_interval(months => ${uncheckedMonths.said})`,
    ),
  removed: () => and(isNotNull(programme.removedAt), isNull(programme.joinedTo)),
  sample: () => and(isNull(programme.removedAt), eq(programme.sample, true)),
} satisfies Record<string, () => SQL | undefined>;

type Query = {
  search: string;
  institutionId?: string | undefined;
  show: keyof typeof selections;
  cursor: Cursor | null;
  limit?: number | undefined;
};

/** Maximum number of words of a search that are used. */
const maxWords = 8;
const wordsOf = (search: string): string[] =>
  search
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, maxWords);

/** Matches programmes that have all the words as prefixes. Words only contain letters and digits. */
function matching(search: string): SQL | undefined {
  const query = wordsOf(search).map((word) => `'${word}':*`);
  return query.length === 0
    ? undefined
    : sql`${programmeListing.search} @@ to_tsquery('auction_search', ${query.join(" & ")})`;
}

/** Lists programmes for staff, those with the oldest check first. */
export async function listProgrammes(
  db: Reader,
  { search, institutionId, show, cursor, limit }: Query,
): Promise<{ programmes: CatalogueProgramme[]; next: (string | Date)[] | null }> {
  const size = limit ?? catalogueRowsPerPage;
  const rows = await db
    .select({
      id: programme.id,
      slug: programme.slug,
      title: programme.title,
      level: programme.level,
      institution: { id: institution.id, name: institution.name, country: institution.country },
      checkedOn: programme.checkedOn,
      checkedBy: user.name,
      source: programme.source,
      sample: programme.sample,
      removed: sql<boolean>`${programme.removedAt} is not null`,
      version: programme.version,
    })
    .from(programme)
    .innerJoin(programmeListing, eq(programmeListing.id, programme.id))
    .innerJoin(institution, eq(institution.id, programme.institutionId))
    .leftJoin(user, eq(user.id, programme.checkedBy))
    .where(
      and(
        selections[show](),
        institutionId === undefined ? undefined : eq(programme.institutionId, institutionId),
        matching(search),
        oldestFirst.after(cursor),
      ),
    )
    .orderBy(...oldestFirst.by)
    .limit(size + 1);
  const page = paginate(rows, size, ({ checkedOn, id }) => [checkedOn, id]);
  return { programmes: page.rows, next: page.next };
}

/** Lists the sources of the programmes in the catalogue, by name. */
export const listSources = (db: Reader) =>
  db
    .select({ source: programme.source, programmes: sql<number>`count(*)::int` })
    .from(programme)
    .where(isNull(programme.removedAt))
    .groupBy(programme.source)
    .orderBy(programme.source)
    .limit(catalogueLimits.sources);

/** Returns a programme as it was entered; for a joined one, the one that it was joined into. */
export async function readProgramme(db: Reader, id: string) {
  const [row] = await readEntries(db, isProgramme(id));
  const [at] = row ? await db.select().from(institution).where(eq(institution.id, row.institutionId)) : [];
  if (!row || !at) throw new Refusal("not-found");
  const [checker] =
    row.checkedBy === null
      ? []
      : await db.select({ name: user.name }).from(user).where(eq(user.id, row.checkedBy));
  return {
    id: row.id,
    slug: row.slug,
    version: row.version,
    removed: row.removedAt !== null,
    checkedBy: checker?.name ?? null,
    institution: { id: at.id, name: at.name, country: at.country, zone: at.zone },
    entry: entryForm(row.entry),
  };
}
