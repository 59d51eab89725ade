import type { BulkRun } from "#contract/bulk-runs.ts";
import type { ApplicationState } from "#domain/application.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import type { Person } from "./factories.ts";
import { until, type Wayfare } from "./wayfare.ts";

let group = 0;
/** Adds students of an agent, each with an application in a state unless that is null. */
export async function addStudents(
  w: { services: Pick<Wayfare["services"], "database"> },
  number: number,
  agent: Pick<Person, "id"> | null,
  state: ApplicationState | null,
) {
  // A search for g10 would find g1-0000 too: it skips the hyphen.
  const prefix = `g${++group}x-`;
  const ids = Array.from({ length: number }, (_, at) => `${prefix}${String(at).padStart(4, "0")}`);
  const { db } = w.services.database;
  await db.insert(user).values(
    ids.map((id) => ({
      id,
      name: id,
      email: `${id}@example.org`,
      role: "student" as const,
      status: "active" as const,
      assignedAgentId: agent?.id ?? null,
    })),
  );
  if (state)
    await db.insert(application).values(
      ids.map((id) => ({
        id: `a-${id}`,
        studentId: id,
        program: "Law",
        highestStudyLevel: "Postgraduate" as const,
        countryCodes: ["CA" as const],
        startDate: "Spring Intake (January)" as const,
        additionalInfo: "",
        state,
      })),
    );
  return ids;
}

/** Waits until a run is finished. */
export const finished = (who: Person, { id }: Pick<BulkRun, "id">): Promise<BulkRun> =>
  until(async () => {
    const run = await who.caller.api.bulkRuns.get({ id });
    return run.finishedAt !== null && run;
  });

/** Starts a prepared run, and waits until it is finished. */
export async function startAndFinish(who: Person, run: BulkRun): Promise<BulkRun> {
  await who.caller.api.bulkRuns.start({ id: run.id });
  return await finished(who, run);
}
