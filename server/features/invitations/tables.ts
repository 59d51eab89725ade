import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { InvitationState, InvitedRole } from "#domain/invitation.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * Invitations of students by agents and admins, and of agents by admins. Nothing here reveals whether the address has
 * an account. The mailed links are stored with all other links, by their hashes. `round` is incremented when an
 * invitation is sent again; mails of earlier rounds are no longer sent.
 */
export const invitation = pgTable(
  "invitation",
  {
    id: text("id").primaryKey(),
    inviterId: text("inviter_id")
      .notNull()
      .references(() => user.id),
    /** Always in lower case. */
    email: text("email").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    message: text("message").notNull(),
    role: text("role").$type<InvitedRole>().notNull().default("student"),
    /** An invited agent's agency and country, empty for a student. */
    agency: text("agency").notNull().default(""),
    country: text("country").notNull().default(""),
    state: text("state").$type<InvitationState>().notNull(),
    round: integer("round").notNull().default(1),
    invitedAt: at("invited_at").notNull(),
    sentAt: at("sent_at").notNull(),
    expiresAt: at("expires_at").notNull(),
    /** Time when the invitation was answered or withdrawn. */
    endedAt: at("ended_at"),
    /** The account of a student or an agent who accepted. */
    studentId: text("student_id").references(() => user.id, { onDelete: "set null" }),
  },
  (table) => [
    uniqueIndex("invitation_open").on(table.inviterId, table.email).where(sql`state = 'invited'`),
    index().on(table.inviterId, table.invitedAt, table.id),
    index().on(table.invitedAt, table.id),
    index().on(table.email),
    index().on(table.studentId),
    index().on(table.expiresAt),
  ],
);
