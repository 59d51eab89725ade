import { eq } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { type Person, person } from "./factories.ts";
import { proveMailbox } from "./mailed-code.ts";
import type { Wayfare } from "./wayfare.ts";

/** An application form with only valid fields. */
export const applicationForm = {
  program: "MSc Data Science",
  highestStudyLevel: "Postgraduate",
  country: ["CA", "GB"],
  startDate: "Spring Intake (January)",
  additionalInfo: "I have a scholarship.",
};
export const submit = ({ caller }: Person, changes: object = {}) =>
  caller.call("applications.submit", { ...applicationForm, ...changes });

export type ListedApplication = { id: string; program: string; version: number; state: string; note: string };
export type Step = { id: number; from: string | null; to: string; note: string; by: object | null };

export async function mine({ caller }: Person): Promise<ListedApplication[]> {
  const { body } = await caller.call("applications.mine");
  return (body as { applications: ListedApplication[] }).applications;
}

/** Returns the newest steps of an application, newest first. */
export async function stepsOf({ caller }: Person, applicationId: string): Promise<Step[]> {
  const { body } = await caller.call("applications.timeline", { applicationId });
  return (body as { steps: Step[] }).steps;
}

/** Assigns a student an agent directly in the database, or none for null. */
export async function assign({ services }: Wayfare, student: Person, agent: Person | null): Promise<void> {
  await services.database.db
    .update(user)
    .set({ assignedAgentId: agent?.id ?? null })
    .where(eq(user.id, student.id));
}

/** Returns a person's notifications about applications, oldest first. */
export async function applicationNotifications({ services }: Wayfare, { id }: Person): Promise<string[]> {
  const rows = await services.database.db
    .select({ kind: notification.kind, about: notification.about })
    .from(notification)
    .where(eq(notification.userId, id))
    .orderBy(notification.id);
  return rows.map(({ kind, about }) => `${kind} ${about["program"]}: ${about["state"]}`);
}

/**
 * Creates a student with an agent and one application. `move` takes a step from its newest version or from a given one.
 */
export async function submittedApplication(w: Wayfare) {
  const [student, agent] = await Promise.all([
    person(w, "student", "active"),
    person(w, "agent", "approved"),
  ]);
  await assign(w, student, agent);
  const { id } = (await submit(student)).body as ListedApplication;
  const current = async () => (await mine(student)).find((each) => each.id === id);
  const move = async ({ caller }: Person, to: string, note = "", version?: number) =>
    await caller.call("applications.move", {
      applicationId: id,
      version: version ?? (await current())?.version ?? 0,
      to,
      note,
    });
  return { student, agent, id, current, move };
}

/** Has the student's agent or an admin ask for a confirmation, and the student confirm the present list with a code. */
export async function confirmList(
  w: Wayfare,
  student: Person,
  staff: Person,
  applicationId: string,
): Promise<void> {
  await proveMailbox(w, student.caller);
  await staff.caller.api.applications.askConfirmation({ applicationId });
  const { hash } = await student.caller.api.applications.confirmation({ applicationId });
  await student.caller.api.applications.confirmList({ applicationId, hash });
}
