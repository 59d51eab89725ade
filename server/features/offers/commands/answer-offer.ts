import { and, eq, inArray, ne } from "drizzle-orm";
import { declinedNote, type OfferRank } from "#domain/offer.ts";
import { takeStep } from "#server/features/applications/commands.ts";
import { application } from "#server/features/applications/tables.ts";
import { lockStudent } from "#server/features/assignments/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { offer } from "../tables.ts";
import { lockOpenOffer, recordChange } from "./open-offer.ts";

/** Declines an open offer in the version that the student saw, which withdraws the application with that reason. */
export async function declineOffer(
  services: Services,
  actor: Actor,
  { applicationId, version }: { applicationId: string; version: number },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const open = await lockOpenOffer(tx, actor, applicationId, ["student"]);
    await takeStep(services, tx, actor, { applicationId, version, to: "withdrawn", note: declinedNote });
    await recordChange(services, tx, actor, open, { action: "offer-declined" });
  });
}

/** Sets or clears the rank of one of the student's open offers. Another of their offers with this rank loses it. */
export async function rankOffer(
  services: Services,
  actor: Actor,
  { applicationId, rank }: { applicationId: string; rank: OfferRank | null },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    // Takes the exclusive lock first, so that the later of two concurrent choices wins.
    await lockStudent(tx, actor.userId, "update");
    const open = await lockOpenOffer(tx, actor, applicationId, ["student"]);
    const ownApplications = tx
      .select({ id: application.id })
      .from(application)
      .where(eq(application.studentId, actor.userId));
    if (rank !== null)
      await tx
        .update(offer)
        .set({ rank: null })
        .where(
          and(
            eq(offer.rank, rank),
            inArray(offer.applicationId, ownApplications),
            ne(offer.applicationId, applicationId),
          ),
        );
    const ranked = await tx
      .update(offer)
      .set({ rank })
      .where(eq(offer.applicationId, applicationId))
      .returning({ id: offer.id });
    // The offer's details have not been entered, so no row can hold a rank.
    if (ranked.length === 0) throw Refusal.conflict();
    await recordChange(services, tx, actor, open, {
      action: "offer-ranked",
      detail: { outcome: rank ?? "none" },
    });
  });
}
