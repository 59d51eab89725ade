import { and, eq, inArray, isNull, or, type SQL } from "drizzle-orm";
import { isAdmin } from "#domain/permission.ts";
import { catalogueRowsPerPage } from "#protocol/page-sizes.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { type Cursor, cursorForm, descending, paginate } from "#server/platform/keyset-list.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { differentInstitutions, institution } from "../tables.ts";
import { institutionsById } from "./institutions.ts";

type Pair = { one: string; other: string };

/** Returns a pair in the order of its row. PostgreSQL sorts lower-case UUIDs in the order of strings here. */
const inOrder = ({ one, other }: Pair) =>
  one < other ? { oneId: one, otherId: other } : { oneId: other, otherId: one };

const isPair = (pair: Pair): SQL | undefined => {
  const { oneId, otherId } = inOrder(pair);
  return and(eq(differentInstitutions.oneId, oneId), eq(differentInstitutions.otherId, otherId));
};

/**
 * Locks two institutions until the transaction ends, so that a join runs before it or after. Returns the details for
 * the audit log.
 */
async function lockPair(tx: Transaction, { one, other }: Pair) {
  const rows = await tx
    .select({ id: institution.id, name: institution.name })
    .from(institution)
    .where(and(inArray(institution.id, [one, other]), isNull(institution.joinedTo)))
    .orderBy(institution.id)
    .for("share");
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.name;
  const [first, second] = [nameOf(one), nameOf(other)];
  if (first === undefined || second === undefined) throw new Refusal("not-found");
  return { institution: first, other: second };
}

/** Marks two institutions as different, so that they are no longer listed as possible duplicates. */
export async function sayDifferent(
  { database }: Pick<Services, "database">,
  actor: Actor,
  pair: Pair,
): Promise<void> {
  if (pair.one === pair.other)
    throw new Refusal("form/incomplete", { field: "other", message: "Please choose another institution." });
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const detail = await lockPair(tx, pair);
    const rows = await tx
      .insert(differentInstitutions)
      .values({ ...inOrder(pair), decidedBy: actor.userId })
      .onConflictDoNothing()
      .returning({ id: differentInstitutions.oneId });
    if (rows.length > 0)
      await recordAudit(tx, { action: "institutions-different", ...actedBy(actor), detail });
  });
}

/** Removes the mark that two institutions are different. */
export async function takeBackDifferent(
  { database }: Pick<Services, "database">,
  actor: Actor,
  pair: Pair,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const detail = await lockPair(tx, pair);
    const rows = await tx
      .delete(differentInstitutions)
      .where(isPair(pair))
      .returning({ id: differentInstitutions.oneId });
    if (rows.length === 0) throw new Refusal("not-found");
    await recordAudit(tx, { action: "institutions-reopened", ...actedBy(actor), detail });
  });
}

/** Deletes the marks of an institution that is joined into another, in the join's transaction. */
export const forgetDifferent = (tx: Transaction, id: string) =>
  tx
    .delete(differentInstitutions)
    .where(or(eq(differentInstitutions.oneId, id), eq(differentInstitutions.otherId, id)));

const newestFirst = descending(
  differentInstitutions.decidedAt,
  differentInstitutions.oneId,
  differentInstitutions.otherId,
);
export const differentCursor = cursorForm("time", "uuid", "uuid");

/** Lists the pairs that are marked as different, newest first. */
export async function listDifferent(
  db: Reader,
  { cursor, limit }: { cursor: Cursor | null; limit?: number | undefined },
) {
  const size = limit ?? catalogueRowsPerPage;
  const rows = await db
    .select({
      one: differentInstitutions.oneId,
      other: differentInstitutions.otherId,
      by: user.name,
      at: differentInstitutions.decidedAt,
    })
    .from(differentInstitutions)
    .leftJoin(user, eq(user.id, differentInstitutions.decidedBy))
    .where(newestFirst.after(cursor))
    .orderBy(...newestFirst.by)
    .limit(size + 1);
  const page = paginate(rows, size, ({ at, one, other }) => [at, one, other]);
  const byId = await institutionsById(
    db,
    page.rows.flatMap(({ one, other }) => [one, other]),
  );
  return {
    pairs: page.rows.flatMap((row) => {
      const [one, other] = [byId.get(row.one), byId.get(row.other)];
      return one && other ? [{ ...row, one, other }] : [];
    }),
    next: page.next,
  };
}
