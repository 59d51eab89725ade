import { eq } from "drizzle-orm";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { institution } from "#server/features/programmes/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { agreement } from "./tables.ts";

/** Records that an institution pays the consultancy. */
export async function setAgreement(
  { database }: Pick<Services, "database">,
  actor: Actor,
  institutionId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [row] = await tx
      .select({ name: institution.name, joinedTo: institution.joinedTo })
      .from(institution)
      .where(eq(institution.id, institutionId))
      .for("share");
    if (!row || row.joinedTo !== null) throw new Refusal("not-found");
    const rows = await tx
      .insert(agreement)
      .values({ institutionId, enteredBy: actor.userId })
      .onConflictDoNothing()
      .returning({ id: agreement.institutionId });
    if (rows.length > 0)
      await recordAudit(tx, {
        action: "agreement-set",
        ...actedBy(actor),
        detail: { institution: row.name },
      });
  });
}

/** Records that an institution no longer pays the consultancy. */
export async function removeAgreement(
  { database }: Pick<Services, "database">,
  actor: Actor,
  institutionId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const rows = await tx
      .delete(agreement)
      .where(eq(agreement.institutionId, institutionId))
      .returning({ id: agreement.institutionId });
    if (rows.length === 0) throw new Refusal("not-found");
    const [row] = await tx
      .select({ name: institution.name })
      .from(institution)
      .where(eq(institution.id, institutionId));
    await recordAudit(tx, {
      action: "agreement-removed",
      ...actedBy(actor),
      detail: { institution: row?.name ?? "" },
    });
  });
}

/**
 * Moves the agreement of an institution that is joined into another, so that pages keep showing it. Runs in the join's
 * transaction.
 */
export async function moveAgreement(tx: Reader, id: string, into: string): Promise<void> {
  const [row] = await tx.delete(agreement).where(eq(agreement.institutionId, id)).returning();
  if (row)
    await tx
      .insert(agreement)
      .values({ ...row, institutionId: into })
      .onConflictDoNothing();
}
