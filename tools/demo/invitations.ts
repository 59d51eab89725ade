import { type InvitationState, invitationEndsAt } from "#domain/invitation.ts";
import { demoIdPrefix } from "#server/features/account/demo-accounts.ts";
import type { invitation } from "#server/features/invitations/tables.ts";
import type { People } from "./people.ts";
import { after, day, daysBefore } from "./time.ts";

type Invitation = typeof invitation.$inferInsert;

/** People whom the first agent has invited. Nobody has an account at these addresses, and no email leaves. */
const invited: readonly { firstName: string; lastName: string; state: InvitationState; daysAgo: number }[] = [
  { firstName: "Kwabena", lastName: "Owusu", state: "invited", daysAgo: 2 },
  { firstName: "Salma", lastName: "", state: "invited", daysAgo: 20 },
  { firstName: "Joseph", lastName: "Njoroge", state: "declined", daysAgo: 9 },
];

export function planInvitations({ agents: [agent] }: People, now: Date): Invitation[] {
  if (!agent) return [];
  return invited.map(({ firstName, lastName, state, daysAgo }, place) => {
    const invitedAt = daysBefore(now, daysAgo);
    return {
      id: `${demoIdPrefix}invitation-${place}`,
      inviterId: agent.id,
      email: `${firstName.toLowerCase()}@invited.example`,
      firstName,
      lastName,
      message: "We met at the education fair in Accra.",
      state,
      invitedAt,
      sentAt: invitedAt,
      expiresAt: invitationEndsAt(invitedAt),
      endedAt: state === "invited" ? null : after(invitedAt, day),
    };
  });
}
