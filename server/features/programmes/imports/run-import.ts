import { hash as digest, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { and, desc, eq, isNull, ne, sql } from "drizzle-orm";
import type { ImportReport } from "#contract/catalogue-import.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { importLimits, type RowOutcome } from "#domain/catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { refreshListingOf } from "../listing.ts";
import { storeProgrammes } from "../store.ts";
import { rowsOf } from "../store-requirements.ts";
import { type FileFormat, fileRows } from "./file-rows.ts";
import { withImportLock } from "./import-lock.ts";
import { type FileRow, UnreadableFile } from "./json-rows.ts";
import { type JudgedRow, RowValidator } from "./judge-rows.ts";
import { programmeImport, programmeImportChange } from "./tables.ts";

/** Number of rows in one transaction, and of rows that are parsed before yielding to other requests. */
const [batchSize, rowsBetweenYields] = [200, 40];

/** A file of programmes. `source` applies to rows that name none. */
export type ImportFile = { bytes: Buffer; format: FileFormat; source: string };

type JudgeBatch = (
  judge: RowValidator,
  rows: readonly FileRow[],
  source: string,
) => Promise<readonly JudgedRow[]>;

/** Counts the outcomes of rows, and lists some of them. */
class Report {
  readonly #counts: Record<RowOutcome, number> = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  readonly rows: JudgedRow["report"][] = [];

  get counts(): Record<RowOutcome, number> {
    return { ...this.#counts };
  }

  add(verdicts: readonly JudgedRow[]): void {
    for (const { report } of verdicts) {
      const count = ++this.#counts[report.outcome];
      if (report.outcome !== "unchanged" && count <= importLimits.listed) this.rows.push(report);
    }
  }
}

/** Processes a file in batches, and yields to other requests in between. */
async function processFile(db: Reader, file: ImportFile, judgeBatch: JudgeBatch): Promise<ImportReport> {
  let source = file.source.trim();
  const judge = new RowValidator(calendarDate(new Date()), () => source);
  const report = new Report();
  let batch: FileRow[] = [];
  const finishBatch = async () => {
    if (batch.length > 0) report.add(await judgeBatch(judge, batch, source));
    batch = [];
  };
  try {
    const rows = fileRows(file.bytes, file.format, (name) => {
      source = name.trim() === "" ? source : name.trim();
    });
    for (const row of rows) {
      if (source === "") source = sourceOf(row.form);
      batch.push(row);
      if (batch.length % rowsBetweenYields === 0) await setImmediate();
      if (batch.length === batchSize) await finishBatch();
    }
    await finishBatch();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new Refusal("form/incomplete", { field: "file", message: error.message });
  }
  return {
    hash: digest("sha256", file.bytes),
    source,
    counts: report.counts,
    rows: report.rows,
    newInstitutions: [...judge.newInstitutions.values()].slice(0, importLimits.listed),
    missing: await missingFrom(db, judge.keys, source),
  };
}

function sourceOf(form: unknown): string {
  const source: unknown = new Map(Object.entries(Object(form))).get("source");
  return typeof source === "string" ? source.trim().slice(0, 120) : "";
}

/** Lists the programmes of a source that the catalogue has and a file does not. */
async function missingFrom(db: Reader, keys: readonly string[], source: string) {
  const { rows } = await db.execute<{ id: string; title: string; count: number }>(sql`
    select id, title, count(*) over ()::int as count from programme
    where source = ${source} and source_id is not null and removed_at is null
      and source_id not in (
        select key::jsonb ->> 1 from jsonb_array_elements_text(${rowsOf(keys)}) as key
        where key::jsonb ->> 0 = ${source})
    order by title, id limit ${importLimits.listed}`);
  return { count: rows[0]?.count ?? 0, programmes: rows.map(({ id, title }) => ({ id, title })) };
}

/** Reports what a file would do, without doing it. */
export const dryRun = (
  { database: { db } }: Pick<Services, "database">,
  file: ImportFile,
): Promise<ImportReport> => processFile(db, file, (judge, rows) => judge.judge(db, rows, false));

/** Stores the additions and changes of a batch of rows. Returns the stored programmes with their versions. */
export async function applyRows(tx: Transaction, verdicts: readonly JudgedRow[]) {
  const changes = verdicts.flatMap(({ store, before }) => (store ? [{ store, before }] : []));
  const versions = await storeProgrammes(
    tx,
    changes.map(({ store }) => store),
  );
  await refreshListingOf(
    tx,
    versions.map(({ id }) => id),
  );
  return versions.map(({ id, version }, at) => ({ id, version, before: changes[at]?.before ?? null }));
}

/**
 * Imports a file, each batch in a transaction of its own. Started again with the same file, an interrupted import
 * continues: stored rows change nothing. `hash` is that of the file whose dry run the caller saw.
 */
export async function runImport(
  services: Pick<Services, "database">,
  actor: Actor,
  file: ImportFile,
  hash: string,
): Promise<ImportReport> {
  const { database } = services;
  if (digest("sha256", file.bytes) !== hash)
    throw new Refusal("failed-precondition", { message: "The file has changed since it was checked." });
  return await withImportLock(database, async (keepLock) => {
    let importId: string | null = null;
    const report = await processFile(database.db, file, async (judge, rows, source) => {
      const verdicts = await database.transaction(async (tx) => {
        await lockActor(tx, actor, isAdmin);
        const outcome = await judge.judge(tx, rows, true);
        const changes = await applyRows(tx, outcome);
        if (changes.length > 0) {
          importId ??= await openImport(tx, actor, source, hash);
          await recordChanges(tx, importId, changes);
        }
        return outcome;
      });
      await keepLock();
      return verdicts;
    });
    await database.transaction(async (tx) => {
      const finished = await tx
        .update(programmeImport)
        .set({ finishedAt: sql`now()` })
        .where(
          and(
            eq(programmeImport.source, report.source),
            eq(programmeImport.hash, hash),
            isNull(programmeImport.finishedAt),
          ),
        )
        .returning();
      const { added = 0, changed = 0 } = finished[0] ?? {};
      await recordAudit(tx, {
        action: "programmes-imported",
        ...actedBy(actor),
        detail: { source: report.source, added: String(added), changed: String(changed) },
      });
    });
    return report;
  });
}

/**
 * Returns the id of the interrupted import of a file, or of a new one. Earlier imports of the source can then no longer
 * be undone, so their changes are deleted.
 */
async function openImport(tx: Transaction, actor: Actor, source: string, hash: string): Promise<string> {
  const [newest] = await tx
    .select()
    .from(programmeImport)
    .where(eq(programmeImport.source, source))
    .orderBy(desc(programmeImport.startedAt), desc(programmeImport.id))
    .limit(1);
  if (newest && newest.hash === hash && newest.finishedAt === null && newest.undoneAt === null)
    return newest.id;
  const id = randomUUID();
  await tx.insert(programmeImport).values({ id, source, hash, startedBy: actor.userId });
  const earlier = and(eq(programmeImport.source, source), ne(programmeImport.id, id));
  await tx
    .update(programmeImport)
    .set({ finishedAt: sql`now()` })
    .where(and(earlier, isNull(programmeImport.finishedAt)));
  await tx.execute(sql`delete from programme_import_change using programme_import
    where import_id = programme_import.id and source = ${source} and import_id <> ${id}`);
  return id;
}

async function recordChanges(
  tx: Transaction,
  importId: string,
  changes: Awaited<ReturnType<typeof applyRows>>,
): Promise<void> {
  await tx
    .insert(programmeImportChange)
    .values(
      changes.map(({ id, version, before }) => ({
        importId,
        programmeId: id,
        version,
        before: before && { ...before.entry, checkedBy: before.checkedBy },
        institutionId: before?.institutionId ?? null,
      })),
    )
    .onConflictDoUpdate({
      target: [programmeImportChange.importId, programmeImportChange.programmeId],
      set: { version: sql`excluded.version` },
    });
  const newCount = changes.filter(({ before }) => before === null).length;
  await tx
    .update(programmeImport)
    .set({
      added: sql`${programmeImport.added} + ${newCount}`,
      changed: sql`${programmeImport.changed} + ${changes.length - newCount}`,
    })
    .where(eq(programmeImport.id, importId));
}
