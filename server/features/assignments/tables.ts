import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { ChangeOutcome } from "#domain/agent-change.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * Students' requests for another agent. A request is open until an admin decides it (`outcome`), the student withdraws
 * it, or the agent changes in another way; the last two set `closedAt` without an outcome. Only admins read `reason`.
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
    /** Time from which the request is shown in red. */
    dueAt: at("due_at").notNull(),
    outcome: text("outcome").$type<ChangeOutcome>(),
    /** The reason why the agent stays, which the student sees. */
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
 * Agents from whom a student has withheld their papers since `stoppedAt`. A row remains when its agent is unassigned,
 * so that taking the student on again doesn't reveal the papers.
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
