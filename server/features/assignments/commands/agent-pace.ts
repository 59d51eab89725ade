import { eq } from "drizzle-orm";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { activeAdmins } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Services } from "#server/services.ts";

/** Actions that are limited per agent and hour: views of identity details and files, and taking students on. */
type PacedAction = "look" | "assignment";

const hour = 3_600_000;
const activities: Record<PacedAction, string> = {
  look: "opening students' details and files",
  assignment: "assigning students to themselves",
};

const messages: Record<PacedAction, string> = {
  look: "You've opened many students' details and files within the hour. Please try again later, or ask an admin.",
  assignment:
    "You've taken on many students within the hour. Please try again later, or ask an admin to assign them.",
};

const unlimited = { kind: "allowed", refund: async () => {} } as const;

/**
 * Counts an agent's action before it happens; the caller refunds it if it fails. Refuses actions beyond the limit and
 * notifies admins once an hour: an agent who reads every student's details should not go unnoticed.
 */
export async function countAgentPace(
  services: Services,
  session: Pick<Session, "userId" | "role">,
  action: PacedAction,
) {
  if (session.role !== "agent") return unlimited;
  const { limits } = services;
  const { userId } = session;
  const allowance = await (action === "look" ? limits.look(userId) : limits.assignment(userId));
  if (allowance.kind === "locked") await notifyAdmins(services, userId, action);
  return requireAllowance(allowance, "resource-exhausted", messages[action]);
}

async function notifyAdmins(services: Services, agentId: string, action: PacedAction): Promise<void> {
  await services.database.transaction(async (tx) => {
    const [agent] = await tx.select({ name: user.name }).from(user).where(eq(user.id, agentId));
    const admins = await activeAdmins(tx);
    const notifications = admins.map(
      (userId): NewNotification => ({
        userId,
        kind: "agentPace",
        eventKey: `agent-pace:${agentId}:${Math.floor(Date.now() / hour)}`,
        about: { agent: agent?.name ?? "", what: activities[action] },
        ids: { agentId },
        path: "/admin-dashboard",
      }),
    );
    await notify(services, tx, ...notifications);
  });
}
