import { randomUUID } from "node:crypto";
import { and, count, eq, inArray } from "drizzle-orm";
import type { Verdict } from "#domain/duplicates.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { duplicateDecision } from "./tables.ts";

/**
 * Records whether accounts belong to one person, and returns the decision's id. No account is changed. Refuses
 * accounts that a decision covers already: it has to be taken back first.
 */
export async function decideDuplicates(
  { database }: Pick<Services, "database">,
  actor: Actor,
  { studentId, otherIds, verdict }: { studentId: string; otherIds: readonly string[]; verdict: Verdict },
): Promise<string> {
  const accountIds = new Set([studentId, ...otherIds]);
  return await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const students = await tx
      .select({ id: user.id })
      .from(user)
      .where(and(eq(user.role, "student"), inArray(user.id, [...accountIds])))
      .orderBy(user.id)
      .for("no key update");
    if (students.length !== accountIds.size || accountIds.size < 2) throw new Refusal("not-found");
    const earlier = await tx
      .select({ id: duplicateDecision.id })
      .from(duplicateDecision)
      .where(inArray(duplicateDecision.accountId, [...accountIds]))
      .groupBy(duplicateDecision.id)
      .having(eq(count(), accountIds.size));
    if (earlier.length > 0) throw Refusal.conflict();
    const id = randomUUID();
    await tx
      .insert(duplicateDecision)
      .values(students.map((student) => ({ id, accountId: student.id, verdict, decidedBy: actor.userId })));
    for (const student of students)
      await recordAudit(tx, {
        action: "duplicates-decided",
        ...actedBy(actor),
        subjectId: student.id,
        detail: { decision: id, verdict },
      });
    return id;
  });
}

/** Takes a decision back, so that its group is open again. */
export async function reopenDuplicates(
  { database }: Pick<Services, "database">,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const accounts = await tx
      .delete(duplicateDecision)
      .where(eq(duplicateDecision.id, id))
      .returning({ accountId: duplicateDecision.accountId });
    if (accounts.length === 0) throw new Refusal("not-found");
    for (const { accountId } of accounts)
      await recordAudit(tx, {
        action: "duplicates-reopened",
        ...actedBy(actor),
        subjectId: accountId,
        detail: { decision: id },
      });
  });
}
