import { sends } from "#domain/application-step.ts";
import type { FrozenList } from "#domain/confirmation.ts";
import {
  notificationOfConfirmed,
  notificationOfRequest,
} from "#server/features/applications/confirmations/commands.ts";
import { hashOf } from "#server/features/applications/confirmations/queries.ts";
import type { confirmation } from "#server/features/applications/tables.ts";
import type { Applications } from "./applications.ts";
import type { PlannedDocument } from "./documents.ts";
import type { Events } from "./events.ts";
import type { Account } from "./people.ts";
import { Random } from "./random.ts";

type Confirmation = typeof confirmation.$inferInsert;
type Application = Applications["applications"][number];
type Studies = Applications & { documents: readonly PlannedDocument[] };

const between = (from: Date, to: Date, part: number): Date =>
  new Date(from.getTime() + (to.getTime() - from.getTime()) * part);

/**
 * Returns the lists that students were asked to confirm: for each sent application one that was confirmed before that,
 * and for one application in review a waiting one.
 */
export function planConfirmations(
  students: readonly Account[],
  { applications, steps, documents }: Studies,
  events: Events,
  now: Date,
): Confirmation[] {
  const random = new Random("confirmations");
  const planned: Confirmation[] = [];
  const studentOf = new Map(students.map((student) => [student.id, student]));
  for (const application of applications) {
    const student = studentOf.get(application.studentId);
    const agentId = student?.assignedAgentId;
    if (!student || typeof agentId !== "string") continue;
    const own = documents.map(({ row }) => row).filter(({ studentId }) => studentId === student.id);
    const listAt = (moment: Date): FrozenList => ({
      ...namesOf(application),
      documents: own
        .filter(({ uploadedAt, replacedAt }) => uploadedAt <= moment && !(replacedAt && replacedAt <= moment))
        .filter(({ state, reviewedAt }) => state !== "rejected" || !reviewedAt || reviewedAt > moment)
        .map(({ kind, id }) => ({ kind, id, sha256: null })),
    });
    let latest: Confirmation | null = null;
    const ask = (askedAt: Date, confirmedAt: Date | null) => {
      const list = listAt(askedAt);
      const hash = hashOf(list);
      // A confirmed list is not sent for confirmation again.
      if (latest?.hash === hash) return;
      const frozen = { id: random.uuid(), applicationId: application.id, list, hash };
      latest = { ...frozen, askedBy: agentId, askedAt, confirmedAt };
      planned.push(latest);
      const audited = { subjectId: student.id, detail: { application: application.id, hash } };
      events.audit(askedAt, { action: "confirmation-asked", actorId: agentId, ...audited });
      events.notify(askedAt, notificationOfRequest(student.id, frozen));
      if (confirmedAt === null) return;
      events.audit(confirmedAt, { action: "list-confirmed", actorId: student.id, ...audited });
      events.notify(confirmedAt, notificationOfConfirmed(agentId, student, frozen));
    };
    let before = application.createdAt ?? now;
    for (const { applicationId, from = null, to, at } of steps) {
      if (applicationId !== application.id) continue;
      if (from !== null && sends("agent", from, to)) ask(between(before, at, 0.3), between(before, at, 0.7));
      before = at;
    }
    if (application.state !== "inReview") continue;
    const changes = own.flatMap(({ uploadedAt, replacedAt, reviewedAt }) => [
      uploadedAt,
      replacedAt ?? reviewedAt ?? uploadedAt,
    ]);
    const lastChange = new Date(Math.max(before.getTime(), ...changes.map((change) => change.getTime())));
    ask(between(lastChange, now, 0.5), null);
  }
  return planned;
}

const namesOf = ({ program, university = "", startDate, intakeYear }: Application) => ({
  program,
  university,
  startDate,
  year: intakeYear ?? null,
});
