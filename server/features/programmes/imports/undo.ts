import { asc, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { CatalogueImport } from "#contract/catalogue-past-imports.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { refreshListingOf } from "../listing.ts";
import { lockSources, storeProgrammes } from "../store.ts";
import { rowsOf } from "../store-requirements.ts";
import { institution, nationalityGroup, programme } from "../tables.ts";
import { withImportLock } from "./import-lock.ts";
import { type EntryBefore, programmeImport, programmeImportChange } from "./tables.ts";

/** Number of changes undone in one transaction, of imports listed, and of skipped programmes in a response. */
const [batchSize, importsListed, leftListed] = [200, 50, 200];

export async function listImports(db: Reader): Promise<CatalogueImport[]> {
  const undoable = sql<boolean>`not exists (select from programme_import later
      where later.source = programme_import.source
        and (later.started_at, later.id) > (programme_import.started_at, programme_import.id))
    and exists (select from programme_import_change where import_id = programme_import.id)`;
  return await db
    .select({
      id: programmeImport.id,
      source: programmeImport.source,
      startedAt: programmeImport.startedAt,
      finishedAt: programmeImport.finishedAt,
      undoneAt: programmeImport.undoneAt,
      added: programmeImport.added,
      changed: programmeImport.changed,
      undoable,
    })
    .from(programmeImport)
    .orderBy(desc(programmeImport.startedAt), desc(programmeImport.id))
    .limit(importsListed);
}

type Change = typeof programmeImportChange.$inferSelect;
type UndoResult = {
  leftCount: number;
  restored: number;
  removed: number;
  left: { id: string; title: string; why: string }[];
};

/**
 * Undoes an import: restores what programmes had before, and removes added ones from the catalogue. Skips programmes
 * that were changed since, and those that can't be restored. After an interruption, another call continues.
 */
export async function undoImport(
  { database }: Pick<Services, "database">,
  actor: Actor,
  id: string,
): Promise<UndoResult> {
  return await withImportLock(database, async (keepLock) => {
    const moment = await database.transaction((tx) => beginUndo(tx, actor, id));
    const undone: UndoResult = { restored: 0, removed: 0, leftCount: 0, left: [] };
    for (let after = ""; ; ) {
      const last = await database.transaction((tx) => undoBatch(tx, { id, after, moment }, undone));
      if (last === null) break;
      after = last;
      await keepLock();
    }
    await database.transaction((tx) =>
      recordAudit(tx, {
        action: "import-undone",
        ...actedBy(actor),
        detail: { import: id, restored: String(undone.restored), removed: String(undone.removed) },
      }),
    );
    return undone;
  });
}

/** Marks an import as undone, and returns the time of that; of the first attempt, if the undo was begun before. */
async function beginUndo(tx: Transaction, actor: Actor, id: string): Promise<Date> {
  await lockActor(tx, actor, isAdmin);
  const [row] = await tx.select().from(programmeImport).where(eq(programmeImport.id, id)).for("update");
  if (!row) throw new Refusal("not-found");
  const imports = await listImports(tx);
  if (imports.find((each) => each.id === id)?.undoable !== true)
    throw new Refusal("failed-precondition", {
      message: "Only the latest import of a source can be undone, and only once.",
    });
  if (row.undoneAt !== null) return row.undoneAt;
  const moment = new Date();
  await tx
    .update(programmeImport)
    .set({ undoneAt: moment, finishedAt: sql`coalesce(${programmeImport.finishedAt}, now())` })
    .where(eq(programmeImport.id, id));
  return moment;
}

/**
 * Returns the former institutions of programmes by their ids; for a joined one, the one that it was joined into. Locks
 * them until the transaction ends.
 */
async function institutionsOf(tx: Transaction, changes: readonly Change[]) {
  const ids = [...new Set(changes.flatMap(({ institutionId }) => institutionId ?? []))];
  const rows = await tx
    .select({ id: institution.id, joinedTo: institution.joinedTo })
    .from(institution)
    .where(inArray(institution.id, ids));
  const institutions = await tx
    .select()
    .from(institution)
    .where(
      inArray(
        institution.id,
        rows.map((row) => row.joinedTo ?? row.id),
      ),
    )
    .orderBy(institution.id)
    .for("share");
  const byId = new Map(institutions.map((row) => [row.id, row]));
  return new Map(rows.map((row) => [row.id, byId.get(row.joinedTo ?? row.id)]));
}

/** Returns those accounts that had checked programmes and still exist. Locks them against erasure. */
async function checkersOf(tx: Transaction, changes: readonly Change[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(changes.flatMap(({ before }) => before?.checkedBy ?? []))];
  const rows = await tx
    .select({ id: user.id })
    .from(user)
    .where(inArray(user.id, ids))
    .orderBy(user.id)
    .for("key share");
  return new Set(rows.map((row) => row.id));
}

const groupsIn = ({ intakes }: EntryBefore) =>
  intakes.flatMap(({ deadlines }) => deadlines.flatMap(({ group }) => group ?? []));

/** Returns those groups of former deadlines that still have their names. Locks them until the transaction ends. */
async function groupsOf(tx: Transaction, changes: readonly Change[]): Promise<ReadonlySet<string>> {
  const names = [...new Set(changes.flatMap(({ before }) => (before ? groupsIn(before) : [])))];
  const rows = await tx
    .select({ name: nationalityGroup.name })
    .from(nationalityGroup)
    .where(inArray(nationalityGroup.name, names))
    .orderBy(nationalityGroup.id)
    .for("share");
  return new Set(rows.map(({ name }) => name));
}

/** Returns the ids of programmes whose former source and id another programme now has. */
async function clashesOf(tx: Transaction, changes: readonly Change[]): Promise<ReadonlySet<string>> {
  const former = changes.flatMap(({ programmeId: id, before }) =>
    before ? [{ id, source: before.source, source_id: before.sourceId }] : [],
  );
  const { rows } = await tx.execute<{ id: string }>(sql`
    select former.id from jsonb_to_recordset(${rowsOf(former)}) as former (id uuid, source text, source_id text)
    join programme using (source, source_id) where programme.id <> former.id`);
  return new Set(rows.map(({ id }) => id));
}

/** Undoes the next changes, and returns the last programme's id; null once there are none. */
async function undoBatch(
  tx: Transaction,
  { id, after, moment }: { id: string; after: string; moment: Date },
  undone: UndoResult,
): Promise<string | null> {
  const ofImport = eq(programmeImportChange.importId, id);
  const changes = await tx
    .select()
    .from(programmeImportChange)
    .where(after === "" ? ofImport : sql`${ofImport} and ${gt(programmeImportChange.programmeId, after)}`)
    .orderBy(asc(programmeImportChange.programmeId))
    .limit(batchSize);
  const ids = changes.map(({ programmeId }) => programmeId);
  if (ids.length === 0) return null;
  await lockSources(tx);
  const checkers = await checkersOf(tx, changes);
  const institutions = await institutionsOf(tx, changes);
  const current = await tx
    .select({
      id: programme.id,
      title: programme.title,
      version: programme.version,
      joinedTo: programme.joinedTo,
    })
    .from(programme)
    .where(inArray(programme.id, ids))
    .orderBy(programme.id)
    .for("update");
  const programmes = new Map(current.map((row) => [row.id, row]));
  const [groups, clashes] = [await groupsOf(tx, changes), await clashesOf(tx, changes)];
  const whyLeft = ({ programmeId, version, before }: Change): string | null => {
    const row = programmes.get(programmeId);
    if (row?.joinedTo) return "It has been joined into another programme since.";
    if (row?.version !== version) return "Somebody has changed it since.";
    if (clashes.has(programmeId)) return "Another programme has its source id by now.";
    const group = before ? groupsIn(before).find((name) => !groups.has(name)) : undefined;
    return group === undefined
      ? null
      : `Its deadlines were for “${group}”, a group that has since been renamed or removed.`;
  };
  const undoable: Change[] = [];
  for (const change of changes) {
    const [why, title = ""] = [whyLeft(change), programmes.get(change.programmeId)?.title];
    if (why === null) undoable.push(change);
    else if (++undone.leftCount <= leftListed) undone.left.push({ id: change.programmeId, title, why });
  }
  const restored = undoable.flatMap(({ programmeId, before, institutionId }) => {
    const formerInstitution = institutions.get(institutionId ?? "");
    if (!before || !formerInstitution) return [];
    const { checkedBy = null, ...entry } = before;
    const checkerExists = checkedBy !== null && checkers.has(checkedBy);
    return [
      { id: programmeId, institution: formerInstitution, entry, checkedBy: checkerExists ? checkedBy : null },
    ];
  });
  await storeProgrammes(tx, restored);
  const newIds = undoable.flatMap(({ programmeId, before }) => (before === null ? [programmeId] : []));
  if (newIds.length > 0)
    await tx
      .update(programme)
      .set({ removedAt: moment, version: sql`${programme.version} + 1` })
      .where(inArray(programme.id, newIds));
  await refreshListingOf(
    tx,
    undoable.map(({ programmeId }) => programmeId),
  );
  await tx
    .delete(programmeImportChange)
    .where(sql`${ofImport} and ${inArray(programmeImportChange.programmeId, ids)}`);
  undone.restored += restored.length;
  undone.removed += newIds.length;
  return ids.at(-1) ?? null;
}
