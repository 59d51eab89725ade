import { eq } from "drizzle-orm";
import type { ApplicationState } from "#domain/application.ts";
import { decideStep, moverOf } from "#domain/application-step.ts";
import { mayFollow } from "#domain/permission.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { lockStudent } from "#server/features/students/queries.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { studentOf } from "../queries.ts";
import { application } from "../tables.ts";
import { recordStep } from "./record-step.ts";

/** `version` is of the application as the mover saw it. */
export type Move = { applicationId: string; version: number; to: ApplicationState; note: string };

/** Takes a step of the pipeline. */
export async function moveApplication(services: Services, actor: Actor, move: Move): Promise<void> {
  try {
    await services.database.transaction((tx) => moveIn(services, tx, actor, move));
  } catch (error) {
    // Only reopening can meet another open application for the same programme and intake.
    throw isUniqueViolation(error) ? openAlready() : error;
  }
}

const openAlready = () =>
  new Refusal("already-exists", {
    message: "There is another open application for this programme and intake.",
  });

async function moveIn(services: Services, tx: Transaction, actor: Actor, move: Move): Promise<void> {
  const studentId = await studentOf(tx, move.applicationId);
  // The mover before the student: whoever takes an agent away locks the agent first, then the students.
  const status = await lockStatus(tx, actor.userId);
  const student = await lockStudent(tx, studentId);
  const who = status && { ...status, id: actor.userId };
  if (!student || !who || !mayFollow(who, student.id)) throw new Refusal("not-found");
  const mover = moverOf(who, student);
  if (mover === null) throw new Refusal("permission-denied");
  const found = await applicationForUpdate(tx, move.applicationId);
  if (!found || found.version !== move.version) throw Refusal.conflict();
  const outcome = decideStep(mover, found.state, move.to, move.note);
  if (outcome.kind === "conflict") throw Refusal.conflict();
  if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
  const version = found.version + 1;
  await tx
    .update(application)
    .set({ state: move.to, version, updatedAt: new Date() })
    .where(eq(application.id, found.id));
  const { id, program, state: from } = found;
  const step = { application: { id, program, version }, from, to: move.to, note: outcome.note };
  await recordStep(services, tx, actor, student, step);
}

async function applicationForUpdate(tx: Transaction, id: string) {
  const [found] = await tx
    .select({
      id: application.id,
      program: application.program,
      state: application.state,
      version: application.version,
    })
    .from(application)
    .where(eq(application.id, id))
    .for("update");
  return found;
}
