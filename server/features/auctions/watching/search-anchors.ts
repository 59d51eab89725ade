import { searchWords } from "#domain/search-words.ts";
import type { SearchFilters } from "#domain/watching.ts";
import type { Database } from "#server/platform/database.ts";
import { searchReadings } from "#server/platform/search-query.ts";
import { type Facets, facetQuery, facetsOf } from "../catalogue/list-statements.ts";

/** Added to the length of a whole word, because it occurs in fewer items than a prefix. */
const wholeWord = 2;

/** Two words that every matching item has; `otherWord` is empty if there is only one. */
type Anchor = { word: string; otherWord: string };

/**
 * Returns the anchor of a query that PostgreSQL has written, such as `'writ' & 'desk':*`: its two longest words, since
 * long ones are rare, each with a star if it is a prefix; null without any word.
 */
export function anchorOf(query: string): Anchor | null {
  const words = [...query.matchAll(/'([^']+)'(:\*)?/g)].map(([, word = "", prefixMark]) => ({
    anchor: prefixMark === undefined ? word : `${word}*`,
    length: word.length + (prefixMark === undefined ? wholeWord : 0),
  }));
  const [first, second] = words.toSorted((one, other) => other.length - one.length);
  return first ? { word: first.anchor, otherWord: second?.anchor ?? "" } : null;
}

/** A saved search in terms of the search index: its query, and the words by which new items find it. */
export type IndexedSearch = { query: string; anchors: Anchor[] };

/** Returns the search in terms of the search index; null if it has neither a word that counts nor a kind or grade. */
export async function indexed(
  { pool }: Pick<Database, "pool">,
  filters: SearchFilters,
): Promise<IndexedSearch | null> {
  const { category, subcategory, grade, search } = filters;
  const facets = facetsOf({
    category: category ?? undefined,
    subcategory: subcategory ?? undefined,
    grade: grade ?? undefined,
  });
  const readings = searchReadings(searchWords(search)).filter((reading) => reading !== "");
  const { rows } = await pool.query<{ query: string; readings: string[] }>(
    `select (to_tsquery('auction_search', $1) && $2::tsquery)::text as query,
       array(select to_tsquery('auction_search', reading)::text from unnest($3::text[]) reading) as readings`,
    [readings.join(" | "), facets === null ? "" : facetQuery(facets), readings],
  );
  const { query = "", readings: queries = [] } = rows[0] ?? {};
  const words = queries.flatMap((reading) => anchorOf(reading) ?? []);
  const others = facets === null || words.length > 0 ? [] : anchorsOfFacets(facets, filters);
  const anchors = [...words, ...others].filter(
    ({ word, otherWord }, at, all) =>
      all.findIndex((each) => each.word === word && each.otherWord === otherWord) === at,
  );
  return anchors.length === 0 ? null : { query, anchors };
}

function anchorsOfFacets({ kinds }: Facets, { category, grade }: SearchFilters): Anchor[] {
  const gradeWord = grade === null ? "" : `/${grade}`;
  if (category === null) return [{ word: gradeWord, otherWord: "" }];
  return kinds.map((kind) => ({ word: `/${kind.category}/${kind.subcategory}`, otherWord: gradeWord }));
}
