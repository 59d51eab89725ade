import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Application } from "#contract/applications.ts";
import {
  type ApplicationForm,
  type ApplicationState,
  applicationLimits,
  type NewApplication,
  openAlready,
  tooManyApplications,
} from "#domain/application.ts";
import { checkApplication } from "#domain/application-check.ts";
import type { NamedApplication } from "#domain/application-notification.ts";
import { decideStep, moverOf, sends } from "#domain/application-step.ts";
import { isForIntake } from "#domain/intake.ts";
import { isStudent, mayFollow } from "#domain/permission.ts";
import { isFor } from "#domain/shortlist.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { applicationTopic } from "#protocol/live-topic.ts";
import { lockActor, lockStatus } from "#server/features/account/queries.ts";
import { lockStudent, type StudentRecord } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { chosenProgramme } from "#server/features/programmes/chosen.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { isListConfirmed, storeUnconfirmedList } from "./confirmations/queries.ts";
import { applicationById, studentOf } from "./queries.ts";
import { application, applicationStep } from "./tables.ts";

/** The programme of the catalogue that a form was filled from, and optionally its intake. */
type Origin = { programmeId?: string | undefined; intakeId?: string | undefined };

/**
 * Returns the programme and intake of the catalogue that an application is for: those it was filled from, if its texts
 * still match them. Throws `not-found` for an unknown programme, and for an intake of another one.
 */
async function resolveOrigin(tx: Transaction, { programmeId, intakeId }: Origin, terms: NewApplication) {
  if (programmeId === undefined) return { programmeId: null, intakeId: null };
  const { id, title: course, university, intake } = await chosenProgramme(tx, { programmeId, intakeId });
  if (!isFor(terms, { course, university })) return { programmeId: null, intakeId: null };
  return { programmeId: id, intakeId: intake && isForIntake(terms, intake) ? intake.id : null };
}

/** Submits an application. A student may have only one open application per programme and intake. */
export async function submitApplication(
  services: Services,
  actor: Actor,
  { programmeId, intakeId, ...form }: ApplicationForm & Origin,
): Promise<Application> {
  const terms = checkApplication(form);
  if ("code" in terms) throw Refusal.of(terms);
  const { countries: countryCodes, year: intakeYear, ...texts } = terms;
  return await services.database.transaction(async (tx) => {
    const origin = await resolveOrigin(tx, { programmeId, intakeId }, terms);
    // The lock is exclusive, so that the count is still correct when the row is inserted.
    const student = await lockStudent(tx, actor.userId, "update");
    await lockActor(tx, actor, isStudent);
    if (!student) throw new Refusal("permission-denied");
    const ofStudent = eq(application.studentId, student.id);
    if ((await tx.$count(application, ofStudent)) >= applicationLimits.perStudent)
      throw Refusal.of(tooManyApplications);
    const [row] = await tx
      .insert(application)
      .values({
        id: randomUUID(),
        studentId: student.id,
        ...texts,
        ...origin,
        countryCodes,
        intakeYear,
        state: "submitted",
      })
      // The index of open applications refuses a second one.
      .onConflictDoNothing()
      .returning({ id: application.id });
    const newApplication = row && (await applicationById(tx, row.id));
    if (!newApplication) throw Refusal.of(openAlready);
    await recordStep(services, tx, actor, student, {
      application: newApplication,
      from: null,
      to: newApplication.state,
      note: "",
    });
    await services.studyEvents.submitted(services, tx, {
      applicationId: newApplication.id,
      studentId: student.id,
      highestStudyLevel: terms.highestStudyLevel,
      countries: countryCodes,
    });
    return newApplication;
  });
}

/** `version` is the version of the application that the mover saw. */
type Move = { applicationId: string; version: number; to: ApplicationState; note: string };

export const moveApplication = (services: Services, actor: Actor, move: Move): Promise<void> =>
  services.database.transaction((tx) => takeStep(services, tx, actor, move));

/** Takes a step in the caller's transaction, so that the caller can record related changes together with it. */
export async function takeStep(services: Services, tx: Transaction, actor: Actor, move: Move): Promise<void> {
  const { student, mover, application: current } = await lockForMover(tx, actor, move.applicationId);
  if (mover === null) throw new Refusal("permission-denied");
  if (!current || current.version !== move.version) throw Refusal.conflict();
  const { id, state: from } = current;
  const isConfirmed = await isListConfirmed(tx, id);
  const outcome = decideStep(mover, from, move.to, move.note, isConfirmed);
  if (outcome.kind === "unconfirmed") throw new Refusal("application/unconfirmed");
  if (outcome.kind === "conflict") throw Refusal.conflict();
  if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
  if (!isConfirmed && sends(mover, from, move.to)) await storeUnconfirmedList(tx, id, actor.userId);
  await services.studyEvents.moving(services, tx, { applicationId: id, from, to: move.to });
  const version = current.version + 1;
  await tx
    .update(application)
    .set({ state: move.to, version, updatedAt: new Date() })
    .where(eq(application.id, id))
    .catch(refuseSecondOpen);
  const step = { application: { ...current, version }, from, to: move.to, note: outcome.note };
  await recordStep(services, tx, actor, student, step);
}

/**
 * Locks an application and its student until the transaction ends, for a user who follows it. `mover` is null if they
 * may not move it. Refuses other users as if the application did not exist.
 */
export async function lockForMover(tx: Transaction, actor: Actor, applicationId: string) {
  const studentId = await studentOf(tx, applicationId);
  // The mover is locked before the student, in the order of commands that take an agent away.
  const status = await lockStatus(tx, actor.userId);
  const student = await lockStudent(tx, studentId);
  const viewer = status && { ...status, id: actor.userId };
  if (!student || !viewer || !mayFollow(viewer, student.id)) throw new Refusal("not-found");
  const mover = moverOf(viewer, student);
  return { student, mover, application: mover && (await applicationForUpdate(tx, applicationId)) };
}

/**
 * Refuses to reopen an application while another one is open for the same programme and intake. No other step can cause
 * this.
 */
function refuseSecondOpen(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const message = "There is another open application for this programme and intake.";
  throw new Refusal("already-exists", { message });
}

async function applicationForUpdate(tx: Transaction, id: string) {
  const [row] = await tx
    .select({
      id: application.id,
      program: application.program,
      startDate: application.startDate,
      university: application.university,
      year: application.intakeYear,
      state: application.state,
      version: application.version,
    })
    .from(application)
    .where(eq(application.id, id))
    .for("update");
  return row;
}

/** A step that was just taken. `version` is the application's version after it; `from` is null for the submission. */
export type TakenStep = {
  application: NamedApplication & { id: string; version: number };
  from: ApplicationState | null;
  to: ApplicationState;
  note: string;
};

/** Writes a step to the timeline. Notifies the student, or their agent if the student took the step. */
async function recordStep(
  services: Services,
  tx: Transaction,
  actor: Actor,
  student: StudentRecord,
  step: TakenStep,
): Promise<void> {
  const { application, from, to, note } = step;
  await tx
    .insert(applicationStep)
    .values({ applicationId: application.id, actorId: actor.userId, from, to, note });
  await recordAudit(tx, {
    action: from === null ? "application-submitted" : "application-moved",
    ...actedBy(actor),
    subjectId: student.id,
    detail: { application: application.id, to, ...(from && { from }) },
  });
  await notify(services, tx, ...notificationsOfStep(actor, student, step));
  await services.live.publish(applicationTopic(application.id), "{}", tx);
  await broadcastDashboards(services, tx, "applications", student.id, student.assignedAgentId, actor.userId);
}

/** Returns the notification of a step: for the student's agent if the student took it, otherwise for the student. */
export function notificationsOfStep(
  { userId: actorId }: Pick<Actor, "userId">,
  student: Pick<StudentRecord, "id" | "name" | "assignedAgentId">,
  { application, from, to, note }: TakenStep,
): NewNotification[] {
  const byStudent = actorId === student.id;
  const userId = byStudent ? student.assignedAgentId : student.id;
  if (userId === null) return [];
  return [
    {
      userId,
      kind: "applicationMoved",
      eventKey: `application-moved:${application.id}:${application.version}`,
      topic: `application:${application.id}`,
      about: {
        program: application.program,
        intake: application.startDate,
        ...(application.university && { university: application.university }),
        ...(application.year !== null && { year: String(application.year) }),
        ...(from && { from }),
        state: to,
        ...(byStudent && { student: student.name }),
        ...(note && { note }),
      },
      ids: { studentId: student.id, applicationId: application.id },
      path: applicationPath(application.id),
    },
  ];
}
