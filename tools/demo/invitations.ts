import { type InvitationState, invitationEndsAt } from "#domain/invitation.ts";
import { demoIdPrefix } from "#server/features/account/demo-accounts.ts";
import type { invitation } from "#server/features/invitations/tables.ts";
import type { Account, People } from "./people.ts";
import { after, day, daysBefore, hour } from "./time.ts";

type Invitation = typeof invitation.$inferInsert;

const message = "We met at the education fair in Accra.";

/** People who haven't accepted the first agent's invitation. They have no accounts, and no email is sent to them. */
const invited: readonly { firstName: string; lastName: string; state: InvitationState; daysAgo: number }[] = [
  { firstName: "Kwabena", lastName: "Owusu", state: "invited", daysAgo: 2 },
  { firstName: "Salma", lastName: "", state: "invited", daysAgo: 20 },
  { firstName: "Joseph", lastName: "Njoroge", state: "declined", daysAgo: 9 },
];

export function planInvitations({ agents: [agent], students }: People, now: Date): Invitation[] {
  if (!agent) return [];
  const unclaimed = invited.map(({ firstName, lastName, state, daysAgo }, place): Invitation => {
    const invitedAt = daysBefore(now, daysAgo);
    return {
      id: `${demoIdPrefix}invitation-${place}`,
      inviterId: agent.id,
      email: `${firstName.toLowerCase()}@invited.example`,
      firstName,
      lastName,
      message,
      state,
      invitedAt,
      sentAt: invitedAt,
      expiresAt: invitationEndsAt(invitedAt),
      endedAt: state === "invited" ? null : after(invitedAt, day),
    };
  });
  return [...unclaimed, ...claimed(agent, students)];
}

/** Returns an accepted invitation of the agent's latest student, who had an account, and so became the agent's. */
function claimed({ id: inviterId }: Account, students: readonly Account[]): Invitation[] {
  const own = students.filter(({ assignedAgentId }) => assignedAgentId === inviterId);
  const [student] = own.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  if (!student?.assignedAt) return [];
  const invitedAt = after(student.createdAt, hour);
  return [
    {
      id: `${demoIdPrefix}invitation-claimed`,
      inviterId,
      email: student.email,
      firstName: student.firstName ?? "",
      lastName: student.lastName ?? "",
      message,
      state: "claimed",
      invitedAt,
      sentAt: invitedAt,
      expiresAt: invitationEndsAt(invitedAt),
      endedAt: student.assignedAt,
      studentId: student.id,
    },
  ];
}
