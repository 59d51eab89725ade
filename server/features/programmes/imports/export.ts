import { and, eq, inArray, isNull, type SQL } from "drizzle-orm";
import type { ExportedProgramme } from "#contract/catalogue-import.ts";
import { writeCsv } from "#server/platform/csv.ts";
import type { Reader } from "#server/platform/database.ts";
import { ascending, type Cursor, cursorForm, paginate } from "#server/platform/keyset-list.ts";
import { sampleRows } from "../catalogue/sample-rows.ts";
import { entryForm, readEntries } from "../entries.ts";
import { institution, programme } from "../tables.ts";
import { programmeColumns } from "./csv-columns.ts";

const byId = ascending(programme.id);
export const entryCursor = cursorForm("uuid");

/** Reads the next programmes of the catalogue, or of one source, as rows that can be imported again. */
export async function exportPage(
  db: Reader,
  { source, cursor, limit }: { source: string | null; cursor: Cursor | null; limit: number },
): Promise<{ programmes: ExportedProgramme[]; next: [string] | null }> {
  const which: SQL | undefined = and(
    isNull(programme.removedAt),
    source === null ? undefined : eq(programme.source, source),
    byId.after(cursor),
  );
  const ids = await db
    .select({ id: programme.id })
    .from(programme)
    .where(which)
    .orderBy(...byId.by)
    .limit(limit + 1);
  const page = paginate(ids, limit, ({ id }): [string] => [id]);
  const entries = await readEntries(
    db,
    inArray(
      programme.id,
      page.rows.map(({ id }) => id),
    ),
  );
  const institutions = await db
    .select()
    .from(institution)
    .where(
      inArray(
        institution.id,
        entries.map(({ institutionId }) => institutionId),
      ),
    );
  const institutionById = new Map(institutions.map((row) => [row.id, row]));
  const rows = entries
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ id, institutionId, entry }): ExportedProgramme[] => {
      const row = institutionById.get(institutionId);
      if (!row) return [];
      const { name, country, place, zone, website } = row;
      return [{ id, ...entryForm(entry), institution: { name, country, place, zone, website } }];
    });
  return { programmes: rows, next: page.next };
}

/** Number of programmes that are read into memory at a time. */
const batchSize = 200;

async function* pages(db: Reader, source: string | null): AsyncGenerator<ExportedProgramme[]> {
  let cursor: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof exportPage>> = await exportPage(db, {
      source,
      cursor,
      limit: batchSize,
    });
    yield page.programmes;
    cursor = page.next;
  } while (cursor !== null);
}

/** Writes programmes as JSON that can be imported again. */
export async function* programmesJson(db: Reader, source: string | null): AsyncGenerator<Buffer> {
  yield Buffer.from(`{${source === null ? "" : `"source":${JSON.stringify(source)},`}"programmes":[`);
  let isFirst = true;
  for await (const page of pages(db, source))
    for (const row of page) {
      yield Buffer.from(`${isFirst ? "" : ","}\n${JSON.stringify(row)}`);
      isFirst = false;
    }
  yield Buffer.from("\n]}\n");
}

/** Writes the headings of a CSV file and an example row. */
export function templateCsv(today: string): AsyncGenerator<string> {
  const examples = sampleRows(today)
    .slice(0, 1)
    .map((sample) => ({ ...sample, id: "", source: "example.com" }));
  return writeCsv(
    programmeColumns,
    (async function* () {
      yield examples;
    })(),
    (page) => page,
  );
}

/** Writes programmes as CSV that can be imported again. */
export const programmesCsv = (db: Reader, source: string | null): AsyncGenerator<string> =>
  writeCsv(programmeColumns, pages(db, source), (page) => page);
