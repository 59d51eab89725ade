import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { ChangeOutcome } from "#domain/agent-change.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * Students' requests for another agent. One is open until an admin decides it (`outcome`), the student takes it back, or
 * the agent changes some other way: the last two leave `closedAt` without an outcome. Only admins read `reason`.
 */
export const changeRequest = pgTable(
  "change_request",
  {
    id: text("id").primaryKey(),
    studentId: text("student_id")
      .notNull()
      .references(() => user.id),
    agentId: text("agent_id").references(() => user.id, { onDelete: "set null" }),
    reason: text("reason").notNull(),
    askedAt: at("asked_at").notNull(),
    /** The moment from which the request stands in red. */
    dueAt: at("due_at").notNull(),
    outcome: text("outcome").$type<ChangeOutcome>(),
    /** The reason for which an agent stays, as the student reads it. */
    answer: text("answer").notNull().default(""),
    closedAt: at("closed_at"),
    closedBy: text("closed_by"),
  },
  (table) => [
    uniqueIndex("change_request_open").on(table.studentId).where(sql`closed_at is null`),
    index().on(table.agentId),
    index("change_request_due").on(table.dueAt, table.id).where(sql`closed_at is null`),
  ],
);

/**
 * The agents from whom a student keeps their papers, since `stoppedAt`. A row stays when that agent is unassigned, so
 * that taking the student on again opens nothing.
 */
export const sharing = pgTable(
  "sharing",
  {
    studentId: text("student_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    agentId: text("agent_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    stoppedAt: at("stopped_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.studentId, table.agentId] }), index().on(table.agentId)],
);
