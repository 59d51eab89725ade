import { randomUUID } from "node:crypto";
import { count, eq } from "drizzle-orm";
import type { Application } from "#contract/applications.ts";
import {
  type ApplicationForm,
  applicationLimits,
  checkApplication,
  type NewApplication,
  openAlready,
  tooManyApplications,
} from "#domain/application.ts";
import { isStudent } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { lockStudent } from "#server/features/students/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { applicationById } from "../queries.ts";
import { application } from "../tables.ts";
import { recordStep } from "./record-step.ts";

/** A student applies: one open application for a student, programme and intake. */
export async function submitApplication(
  services: Services,
  actor: Actor,
  form: ApplicationForm,
): Promise<Application> {
  const checked = checkApplication(form);
  if ("code" in checked) throw Refusal.of(checked);
  return await services.database.transaction(async (tx) => {
    // Exclusive: the count must still be right when the row is there.
    const student = await lockStudent(tx, actor.userId, "update");
    await lockActor(tx, actor, isStudent);
    if (!student) throw new Refusal("permission-denied");
    if ((await numberOf(tx, student.id)) >= applicationLimits.perStudent)
      throw Refusal.of(tooManyApplications);
    const id = await insert(tx, student.id, checked);
    const added = id && (await applicationById(tx, id));
    if (!added) throw Refusal.of(openAlready);
    const step = { application: added, from: null, to: added.state, note: "" };
    await recordStep(services, tx, actor, student, step);
    return added;
  });
}

async function numberOf(tx: Transaction, studentId: string): Promise<number> {
  const [found] = await tx
    .select({ number: count() })
    .from(application)
    .where(eq(application.studentId, studentId));
  return found?.number ?? 0;
}

/** The new row's id; null when the index of open applications has one like it. */
async function insert(tx: Transaction, studentId: string, form: NewApplication): Promise<string | null> {
  const { program, highestStudyLevel, countries, startDate, additionalInfo } = form;
  const [added] = await tx
    .insert(application)
    .values({
      id: randomUUID(),
      studentId,
      program,
      highestStudyLevel,
      countryCodes: countries,
      startDate,
      additionalInfo,
      state: "submitted",
    })
    .onConflictDoNothing()
    .returning({ id: application.id });
  return added?.id ?? null;
}
