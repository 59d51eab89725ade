import { and, eq, type SQL, sql } from "drizzle-orm";
import type { StudyCountry } from "#domain/application.ts";
import type { Reader } from "#server/platform/database.ts";
import { containing } from "#server/platform/escape.ts";
import { institutionNameKey, suggestInstitutionNames } from "../catalogue/suggest-names.ts";
import { institution } from "../tables.ts";

/** Maximum number of suggestions. */
const maxSuggestions = 20;

/** Returns the names of the catalogue's institutions whose name or other names contain a text. */
async function cataloguedNames(
  db: Reader,
  text: string,
  country: StudyCountry | undefined,
): Promise<string[]> {
  const place: SQL = sql`strpos(folded(${institution.name}), folded(${text}))`;
  const rows = await db
    .select({ name: institution.name })
    .from(institution)
    .where(
      and(
        sql`${institution.joinedTo} is null`,
        country && eq(institution.country, country),
        sql`folded(${institution.name} || ' / ' || array_to_string(${institution.otherNames}, ' / ')) like folded(${containing(text)})`,
      ),
    )
    .orderBy(sql`${place} <> 1`, institution.name)
    .limit(maxSuggestions);
  return rows.map(({ name }) => name);
}

/**
 * Returns names of institutions that contain a text: the catalogue's, and then those of the list shipped with Wayfare.
 * Within each, names that begin with the text come first.
 */
export async function institutionNames(
  db: Reader,
  search: string,
  country: StudyCountry | undefined,
): Promise<string[]> {
  const text = search.trim();
  if (text === "") return [];
  const names = new Map<string, string>();
  for (const name of [
    ...(await cataloguedNames(db, text, country)),
    ...(await suggestInstitutionNames(text, country)),
  ])
    if (!names.has(institutionNameKey(name))) names.set(institutionNameKey(name), name);
  return [...names.values()].slice(0, maxSuggestions);
}
