import { eq } from "drizzle-orm";
import type { ApplicationState } from "#domain/application.ts";
import { decideStep, moverOf } from "#domain/application-step.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { mayFollow } from "#domain/permission.ts";
import { standingOf } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { lockStudent } from "#server/features/students/queries.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { studentOf } from "../queries.ts";
import { application } from "../tables.ts";
import { recordStep } from "./record-step.ts";

/** `changed`: somebody moved it since, or the step can't be taken from there. `openAlready`: another one is open. */
export type MoveOutcome =
  | { kind: "moved" }
  | { kind: "problem"; problem: Problem }
  | { kind: "notFound" | "notAllowed" | "changed" | "openAlready" };

/** `version` is of the application as the mover saw it. */
export type Move = { applicationId: string; version: number; to: ApplicationState; note: string };

/** Takes a step of the pipeline (product decisions, "Who moves it"). */
export async function moveApplication(services: Services, actor: Actor, move: Move): Promise<MoveOutcome> {
  try {
    return await services.database.transaction((tx) => moveIn(services, tx, actor, move));
  } catch (error) {
    // Only reopening can meet another open application for the same programme and intake.
    if (isUniqueViolation(error)) return { kind: "openAlready" };
    throw error;
  }
}

async function moveIn(services: Services, tx: Transaction, actor: Actor, move: Move): Promise<MoveOutcome> {
  const studentId = await studentOf(tx, move.applicationId);
  // The mover before the student: whoever takes an agent away locks the agent first, then the students.
  const standing = await standingOf(tx, actor.userId);
  const student = studentId && (await lockStudent(tx, studentId));
  const who = standing && { ...standing, id: actor.userId };
  if (!student || !who || !mayFollow(who, student.id)) return { kind: "notFound" };
  const mover = moverOf(who, student);
  if (mover === null) return { kind: "notAllowed" };
  const found = await applicationForUpdate(tx, move.applicationId);
  if (!found || found.version !== move.version) return { kind: "changed" };
  const outcome = decideStep(mover, found.state, move.to, move.note);
  if (outcome.kind === "notPossible") return { kind: "changed" };
  if (outcome.kind === "problem") return outcome;
  const version = found.version + 1;
  await tx
    .update(application)
    .set({ state: move.to, version, updatedAt: new Date() })
    .where(eq(application.id, found.id));
  const { id, program, state: from } = found;
  const step = { application: { id, program, version }, from, to: move.to, note: outcome.note };
  await recordStep(services, tx, actor, student, step);
  return { kind: "moved" };
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
