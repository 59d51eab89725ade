import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { isStudent } from "#domain/permission.ts";
import { studentPath } from "#protocol/addresses.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { lockStudent } from "../queries.ts";
import { sharing } from "../tables.ts";

/**
 * Stops or resumes sharing a student's papers with their current agent; does nothing if that is already the case. The
 * lock is exclusive, so that every view that begins after the commit uses the new state.
 */
export async function sharePapers(services: Services, actor: Actor, shares: boolean): Promise<void> {
  await services.database.transaction(async (tx) => {
    const student = await lockStudent(tx, actor.userId, "update");
    await lockActor(tx, actor, isStudent);
    if (!student || student.assignedAgentId === null) throw Refusal.conflict();
    const { id, name, assignedAgentId: agentId } = student;
    if (shares === (student.sharingStoppedAt === null)) return;
    if (shares) await tx.delete(sharing).where(and(eq(sharing.studentId, id), eq(sharing.agentId, agentId)));
    else await tx.insert(sharing).values({ studentId: id, agentId, stoppedAt: new Date() });
    await recordOwn(tx, shares ? "sharing-resumed" : "sharing-stopped", actor, { agent: agentId });
    await notify(services, tx, {
      userId: agentId,
      kind: "sharingChanged",
      eventKey: `sharing:${randomUUID()}`,
      topic: `sharing:${id}`,
      about: { student: name, sharing: shares ? "resumed" : "stopped" },
      ids: { studentId: id },
      path: studentPath(student),
    });
    await services.live.rightsChanged([id], tx);
    await broadcastDashboards(services, tx, "students", id, agentId);
  });
}
