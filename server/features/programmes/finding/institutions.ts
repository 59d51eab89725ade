import { and, eq, type SQL, sql } from "drizzle-orm";
import type { StudyCountry } from "#domain/application.ts";
import type { Reader } from "#server/platform/database.ts";
import { containing } from "#server/platform/escape.ts";
import { institutionNameKey, suggestInstitutionNames } from "../catalogue/suggest-names.ts";
import { institution } from "../tables.ts";

/** Names that a field suggests at once. */
const suggested = 20;

/** Names the catalogue's institutions that contain a text. An institution is also found by its other names. */
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
    .limit(suggested);
  return rows.map(({ name }) => name);
}

/**
 * Suggests names of institutions that contain a text, those that begin with it first: the catalogue's, and then those of
 * the list that ships with Wayfare.
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
  return [...names.values()].slice(0, suggested);
}
