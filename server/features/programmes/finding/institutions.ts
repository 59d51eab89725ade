import { and, eq, type SQL, sql } from "drizzle-orm";
import type { StudyCountry } from "#domain/application.ts";
import type { Reader } from "#server/platform/database.ts";
import { containing } from "#server/platform/escape.ts";
import { institution } from "../tables.ts";

/** Names that a field suggests at once. */
const suggested = 20;

/**
 * Returns the names of institutions that contain a text, those that begin with it first. An institution is also found by
 * its other names.
 */
export async function institutionNames(
  db: Reader,
  search: string,
  country: StudyCountry | undefined,
): Promise<string[]> {
  const text = search.trim();
  if (text === "") return [];
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
