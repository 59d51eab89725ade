import { eq } from "drizzle-orm";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { institution } from "#server/features/programmes/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { agreement } from "./tables.ts";

/** Says that an institution pays the consultancy. */
export async function setAgreement(
  { database }: Pick<Services, "database">,
  actor: Actor,
  institutionId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [at] = await tx
      .select({ name: institution.name, joinedTo: institution.joinedTo })
      .from(institution)
      .where(eq(institution.id, institutionId))
      .for("share");
    if (!at || at.joinedTo !== null) throw new Refusal("not-found");
    const rows = await tx
      .insert(agreement)
      .values({ institutionId, enteredBy: actor.userId })
      .onConflictDoNothing()
      .returning({ id: agreement.institutionId });
    if (rows.length > 0)
      await recordAudit(tx, {
        action: "agreement-set",
        ...actedBy(actor),
        detail: { institution: at.name },
      });
  });
}

/** Says that an institution no longer pays the consultancy. */
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
    const [at] = await tx
      .select({ name: institution.name })
      .from(institution)
      .where(eq(institution.id, institutionId));
    await recordAudit(tx, {
      action: "agreement-removed",
      ...actedBy(actor),
      detail: { institution: at?.name ?? "" },
    });
  });
}

/**
 * Moves an agreement along with an institution that is joined into another, so that a page goes on saying so. It runs in
 * the join's transaction.
 */
export async function moveAgreement(tx: Reader, id: string, into: string): Promise<void> {
  const [row] = await tx.delete(agreement).where(eq(agreement.institutionId, id)).returning();
  if (row)
    await tx
      .insert(agreement)
      .values({ ...row, institutionId: into })
      .onConflictDoNothing();
}
