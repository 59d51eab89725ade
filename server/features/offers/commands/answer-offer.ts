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

/** Declines an open offer for its student, as they saw it. The application is withdrawn, with that reason. */
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

/** Ranks one of the student's open offers, or takes its rank away. Any other offer of theirs with this rank loses it. */
export async function rankOffer(
  services: Services,
  actor: Actor,
  { applicationId, rank }: { applicationId: string; rank: OfferRank | null },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    // The exclusive lock comes first, so that of two concurrent choices the later one holds.
    await lockStudent(tx, actor.userId, "update");
    const open = await lockOpenOffer(tx, actor, applicationId, ["student"]);
    const own = tx
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
            inArray(offer.applicationId, own),
            ne(offer.applicationId, applicationId),
          ),
        );
    const ranked = await tx
      .update(offer)
      .set({ rank })
      .where(eq(offer.applicationId, applicationId))
      .returning({ id: offer.id });
    // Nobody has entered the offer's details, so there is nothing that could bear a rank.
    if (ranked.length === 0) throw Refusal.conflict();
    await recordChange(services, tx, actor, open, {
      action: "offer-ranked",
      detail: { outcome: rank ?? "none" },
    });
  });
}
