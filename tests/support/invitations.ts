import { randomUUID } from "node:crypto";
import { invitationEndsAt } from "#domain/invitation.ts";
import { invitation } from "#server/features/invitations/tables.ts";
import type { Services } from "#server/services.ts";
import type { Person } from "./factories.ts";

type InvitationRow = typeof invitation.$inferInsert;

/** Stores an open invitation without its mails; returns its id. */
export async function storedInvitation(
  w: { services: Pick<Services, "database"> },
  inviter: Pick<Person, "id">,
  invited: Pick<InvitationRow, "firstName" | "email"> & Partial<InvitationRow>,
): Promise<string> {
  const [id, invitedAt] = [randomUUID(), new Date()];
  await w.services.database.db.insert(invitation).values({
    id,
    inviterId: inviter.id,
    lastName: "",
    message: "",
    state: "invited",
    invitedAt,
    sentAt: invitedAt,
    expiresAt: invitationEndsAt(invitedAt),
    ...invited,
  });
  return id;
}
