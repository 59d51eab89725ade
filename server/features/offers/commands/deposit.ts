import { eq } from "drizzle-orm";
import { decidePayment, isDepositState } from "#domain/deposit.ts";
import { applicationPath } from "#protocol/addresses.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { depositOf, offerRow } from "../queries.ts";
import { offerDeposit } from "../tables.ts";
import { applicationNameFields, lockOffer, recordChange } from "./open-offer.ts";

/** `seen` is the payment day that the user saw, `paidOn` the new one; null means unpaid. */
export type MarkedDeposit = { applicationId: string; seen: string | null; paidOn: string | null };

/** Marks an offer's deposit as paid on a day or as unpaid again, and notifies the student. */
export async function markDeposit(
  services: Services,
  actor: Actor,
  { applicationId, seen, paidOn: day }: MarkedDeposit,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const open = await lockOffer(tx, actor, applicationId, {
      parts: ["agent", "admin"],
      isFit: isDepositState,
    });
    const row = await offerRow(tx, applicationId);
    const deposit = row && (await depositOf(tx, row.id));
    if (!deposit) throw Refusal.conflict();
    const now = new Date();
    const outcome = decidePayment({ paidOn: deposit.paid?.on ?? null, seen }, day, now);
    if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
    if (outcome.kind === "conflict") throw Refusal.conflict();
    const { paidOn } = outcome;
    await tx
      .update(offerDeposit)
      .set({ paidOn, paidMarkedBy: paidOn === null ? null : actor.userId })
      .where(eq(offerDeposit.id, row.id));
    const { student, application } = open;
    await notify(services, tx, {
      userId: student.id,
      kind: "depositMarked",
      eventKey: `deposit-marked:${row.id}:${now.getTime()}`,
      topic: `deposit:${row.id}`,
      about: { ...applicationNameFields(application), ...(paidOn !== null && { paidOn }) },
      ids: { studentId: student.id, applicationId: application.id },
      path: applicationPath(application.id),
    });
    await recordChange(services, tx, actor, open, {
      action: "deposit-marked",
      detail: { outcome: paidOn ?? "not paid" },
    });
  });
}
