import { answerDueAt } from "#domain/agent-change.ts";
import { dateFormats } from "#domain/date-format.ts";
import { studentPath } from "#protocol/addresses.ts";
import { demoIdPrefix } from "#server/features/account/demo-accounts.ts";
import type { changeRequest, sharing } from "#server/features/assignments/tables.ts";
import type { Events } from "./events.ts";
import type { People } from "./people.ts";
import { at } from "./random.ts";
import { daysBefore, hour } from "./time.ts";

export type Trust = {
  sharing: (typeof sharing.$inferInsert)[];
  changeRequests: (typeof changeRequest.$inferInsert)[];
};

const { formatDate } = dateFormats("UTC");
const adminPath = "/admin-dashboard";

/**
 * Plans a student who has stopped sharing documents with the first agent, and an overdue request for another agent by
 * the second student.
 */
export function planTrust({ admins, agents, students }: People, events: Events, now: Date): Trust {
  const asking = at(students, 1);
  const candidate = students.find(
    ({ id, status, assignedAgentId }, place) =>
      place > 0 && id !== asking.id && status === "active" && assignedAgentId === agents[0]?.id,
  );
  const stopping = candidate ?? asking;
  const all: Trust = { sharing: [], changeRequests: [] };

  const { assignedAgentId: agentId } = stopping;
  if (agentId) {
    const stoppedAt = new Date(now.getTime() - 5 * hour);
    const { id: studentId, name } = stopping;
    const shared = { actorId: studentId, subjectId: studentId, detail: { agent: agentId } };
    events.audit(stoppedAt, { action: "sharing-stopped", ...shared });
    events.notify(stoppedAt, {
      userId: agentId,
      kind: "sharingChanged",
      eventKey: `sharing:${demoIdPrefix}${studentId}`,
      topic: `sharing:${studentId}`,
      about: { student: name, sharing: "stopped" },
      ids: { studentId },
      path: studentPath(stopping),
    });
    all.sharing.push({ studentId, agentId, stoppedAt });
  }

  const agent = agents.find(({ id }) => id === asking.assignedAgentId);
  if (agent) {
    // Five working days are never more than seven days.
    const askedAt = daysBefore(now, 9);
    const dueAt = answerDueAt(askedAt);
    const { id: studentId, name } = asking;
    const id = `${demoIdPrefix}agent-change`;
    const shared = { actorId: studentId, subjectId: studentId, detail: { agent: agent.id } };
    events.audit(askedAt, { action: "agent-change-asked", ...shared });
    for (const { id: userId } of admins)
      events.notify(askedAt, {
        userId,
        kind: "agentChangeAsked",
        eventKey: `agent-change-asked:${id}`,
        topic: `agent-change:${studentId}`,
        about: { student: name, agent: agent.name, day: formatDate(dueAt) },
        ids: { studentId },
        path: adminPath,
      });
    const reason = "I've waited two weeks for an answer about my visa.";
    all.changeRequests.push({ id, studentId, agentId: agent.id, reason, askedAt, dueAt });
  }
  return all;
}
