import { randomUUID } from "node:crypto";
import { invitationEndsAt } from "#domain/invitation.ts";
import { invitation } from "#server/features/invitations/tables.ts";
import type { Person } from "./factories.ts";
import type { Wayfare } from "./wayfare.ts";

/** Stores an open invitation without its mails; returns its id. */
export async function storedInvitation(
  w: Wayfare,
  inviter: Person,
  { firstName, email }: { firstName: string; email: string },
): Promise<string> {
  const [id, invitedAt] = [randomUUID(), new Date()];
  await w.services.database.db.insert(invitation).values({
    id,
    inviterId: inviter.id,
    firstName,
    lastName: "",
    email,
    message: "",
    state: "invited",
    invitedAt,
    sentAt: invitedAt,
    expiresAt: invitationEndsAt(invitedAt),
  });
  return id;
}
