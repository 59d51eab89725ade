import { demoIdPrefix } from "#server/features/account/demo-accounts.ts";
import type { bulkItem, bulkRun } from "#server/features/bulk-runs/tables.ts";
import type { Events } from "./events.ts";
import type { People } from "./people.ts";
import type { Studies } from "./studies.ts";
import { after, daysBefore, minute } from "./time.ts";

type Run = typeof bulkRun.$inferInsert;
type Item = typeof bulkItem.$inferInsert;
export type BulkRuns = { bulkRuns: Run[]; bulkItems: Item[] };

const mostRows = 12;

/** Plans a move of many applications by the first agent, with the rows that were left out. */
export function planBulkRuns(
  { agents: [agent], students }: People,
  { applications }: Studies,
  events: Events,
  now: Date,
): BulkRuns {
  if (!agent) return { bulkRuns: [], bulkItems: [] };
  const runId = `${demoIdPrefix}run`;
  const at = daysBefore(now, 2);
  const finishedAt = after(at, minute);
  const agentOf = new Map(students.map(({ id, assignedAgentId }) => [id, assignedAgentId]));
  const rows = applications.flatMap(({ id, studentId, state }): Omit<Item, "position">[] => {
    const row = { runId, studentId, applicationId: id, expected: {}, at: finishedAt };
    if (agentOf.get(studentId) !== agent.id) return [{ ...row, outcome: "skipped", reason: "anotherAgents" }];
    if (state === "inReview") return [{ ...row, outcome: "done", reason: null }];
    return state === "rejected" || state === "withdrawn"
      ? [{ ...row, outcome: "skipped", reason: state }]
      : [];
  });
  const some = (outcome: "done" | "skipped", most: number) =>
    rows.filter((row) => row.outcome === outcome).slice(0, most);
  const bulkItems = [...some("done", mostRows), ...some("skipped", mostRows / 4)].map((row, index) => ({
    ...row,
    position: index + 1,
  }));
  const detail = { act: "move", run: runId, rows: String(some("done", mostRows).length) };
  events.audit(after(at, minute / 2), { action: "bulk-run-started", actorId: agent.id, detail });
  return {
    bulkRuns: [
      {
        id: runId,
        act: "move",
        input: { from: "submitted", to: "inReview", note: "" },
        by: agent.id,
        address: "203.0.113.7",
        frozenAt: at,
        startedAt: after(at, minute / 2),
        finishedAt,
      },
    ],
    bulkItems,
  };
}
