import { and, desc, eq, gt, or, sql } from "drizzle-orm";
import type { Invitation } from "#contract/invitations.ts";
import type { AccountStatus } from "#domain/account.ts";
import { invitationStateAt } from "#domain/invitation.ts";
import { isAdmin } from "#domain/permission.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { type Cursor, cursorForm, descending, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { invitation } from "./tables.ts";

const order = descending(invitation.invitedAt, invitation.id);
export const invitationCursor = cursorForm("time", "text");

type Page = { cursor: Cursor | null; limit?: number | undefined };

/** Lists an agent's own invitations, or everyone's for an admin, newest first. */
export async function listInvitations(
  db: Reader,
  viewer: AccountStatus & { id: string },
  { cursor, limit = adminRowsPerPage }: Page,
) {
  const mine = isAdmin(viewer) ? undefined : eq(invitation.inviterId, viewer.id);
  const candidates = await db
    .select({ row: invitation, by: user.name })
    .from(invitation)
    .innerJoin(user, eq(user.id, invitation.inviterId))
    .where(and(mine, order.after(cursor)))
    .orderBy(...order.by)
    .limit(adminRowsPerPage + 1);
  const { rows, next } = paginate(candidates, limit, ({ row }) => writeCursor([row.invitedAt, row.id]));
  const now = new Date();
  const invitations = rows.map(({ row, by }): Invitation => {
    const { id, firstName, lastName, email, message, sentAt, expiresAt, endedAt } = row;
    const { role, agency, country } = row;
    const state = invitationStateAt(row, now);
    const isOwn = row.inviterId === viewer.id;
    return {
      id,
      firstName,
      lastName,
      email,
      message,
      role,
      agency,
      country,
      state,
      sentAt,
      expiresAt,
      endedAt,
      by: isOwn ? null : by,
    };
  });
  return { invitations, next };
}

/** Returns an invitation with its inviter's account as it is now; null for an unknown id. */
export async function invitationById(db: Reader, id: string) {
  const [row] = await db
    .select({
      invitation,
      inviter: { id: user.id, name: user.name, agency: user.agency, role: user.role, status: user.status },
    })
    .from(invitation)
    .innerJoin(user, eq(user.id, invitation.inviterId))
    .where(eq(invitation.id, id));
  return row ?? null;
}

/** Returns the account of an invited address; null when there is none. */
export async function invitedAccount(db: Reader, email: string) {
  const [row] = await db
    .select({ id: user.id, role: user.role, status: user.status, agentId: user.assignedAgentId })
    .from(user)
    .where(eq(user.email, email));
  return row ?? null;
}

export type InvitedAccount = NonNullable<Awaited<ReturnType<typeof invitedAccount>>>;

/** Whether an invitation that the inviter sent to this address was declined. */
export async function hasDeclined(db: Reader, inviterId: string, email: string): Promise<boolean> {
  const [row] = await db
    .select({ id: invitation.id })
    .from(invitation)
    .where(
      and(eq(invitation.inviterId, inviterId), eq(invitation.email, email), eq(invitation.state, "declined")),
    )
    .orderBy(desc(invitation.invitedAt))
    .limit(1);
  return row !== undefined;
}

/** Returns the addresses that an inviter can't invite now: those with an open invitation, and those that declined. */
export async function notInvitable(db: Reader, inviterId: string, emails: readonly string[]) {
  const isOpen = and(eq(invitation.state, "invited"), gt(invitation.expiresAt, sql`now()`));
  const rows = await db
    .select({ email: invitation.email, state: invitation.state })
    .from(invitation)
    .where(
      and(
        eq(invitation.inviterId, inviterId),
        sql`${invitation.email} = any(${sql.param([...emails])}::text[])`,
        or(isOpen, eq(invitation.state, "declined")),
      ),
    );
  const withState = (state: string) =>
    new Set(rows.filter((row) => row.state === state).map(({ email }) => email));
  return { open: withState("invited"), declined: withState("declined") };
}
