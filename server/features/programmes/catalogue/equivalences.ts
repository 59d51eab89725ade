import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { catalogueLimits, checkEquivalence } from "#domain/catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import type { Equivalence } from "#domain/qualification.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { gradeEquivalence } from "../tables.ts";

const fields = {
  id: gradeEquivalence.id,
  fromScale: gradeEquivalence.fromScale,
  fromGrade: gradeEquivalence.fromGrade,
  toScale: gradeEquivalence.toScale,
  toGrade: gradeEquivalence.toGrade,
  firstYear: gradeEquivalence.firstYear,
  lastYear: gradeEquivalence.lastYear,
  source: gradeEquivalence.source,
};

/** Lists grade equivalences, sorted by scales. */
export const listEquivalences = (db: Reader) =>
  db
    .select(fields)
    .from(gradeEquivalence)
    .orderBy(
      asc(gradeEquivalence.fromScale),
      asc(gradeEquivalence.toScale),
      asc(gradeEquivalence.enteredAt),
      asc(gradeEquivalence.id),
    )
    .limit(catalogueLimits.equivalences);

/** Adds or changes an equivalence, and returns its id. */
export async function saveEquivalence(
  { database }: Pick<Services, "database">,
  actor: Actor,
  { id, ...form }: Equivalence & { id: string | null },
): Promise<string> {
  const equivalence = checkEquivalence(form);
  if ("code" in equivalence) throw Refusal.of(equivalence);
  return await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    if (id === null && (await tx.$count(gradeEquivalence)) >= catalogueLimits.equivalences)
      throw new Refusal("resource-exhausted", {
        message: `There can be ${catalogueLimits.equivalences} rows at most.`,
      });
    const row = { ...equivalence, id: id ?? randomUUID(), enteredBy: actor.userId };
    if (id === null) await tx.insert(gradeEquivalence).values(row);
    else {
      const { rowCount } = await tx.update(gradeEquivalence).set(row).where(eq(gradeEquivalence.id, id));
      if (rowCount === 0) throw new Refusal("not-found");
    }
    await recordAudit(tx, {
      action: "equivalence-saved",
      ...actedBy(actor),
      detail: { equivalence: inWords(equivalence), source: equivalence.source },
    });
    return row.id;
  });
}

const inWords = ({ fromScale, fromGrade, toScale, toGrade }: Equivalence): string =>
  `${fromScale} ${fromGrade} → ${toScale} ${toGrade}`;

export async function removeEquivalence(
  { database }: Pick<Services, "database">,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [row] = await tx.delete(gradeEquivalence).where(eq(gradeEquivalence.id, id)).returning(fields);
    if (!row) throw new Refusal("not-found");
    await recordAudit(tx, {
      action: "equivalence-removed",
      ...actedBy(actor),
      detail: { equivalence: inWords(row) },
    });
  });
}
