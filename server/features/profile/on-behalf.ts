import { eq } from "drizzle-orm";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { isApprovedAgent, isStudent, mayActOnBehalf } from "#domain/permission.ts";
import type { Profile } from "#domain/profile.ts";
import { checkProfile } from "#domain/profile-check.ts";
import { lockAccount, lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { studentById } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { changedFields, entriesOf, markEntries } from "./entries.ts";
import { profileOf } from "./queries.ts";
import { storeProfile } from "./store-profile.ts";

/** Locks a student for the assigned agent who acts on their behalf; refuses other agents as if there were none. */
async function lockForEntry(tx: Transaction, actor: Actor, studentId: string) {
  const agent = await lockActor(tx, actor, isApprovedAgent);
  const account = await lockAccount(tx, studentId, "update");
  const student = await studentById(tx, studentId);
  if (!account || !student || !isStudent(account) || !mayActOnBehalf(agent, student))
    throw new Refusal("not-found");
  return account;
}

/** Returns a student's profile for the assigned agent to fill in, and audits the view. */
export async function openProfileOf({ database }: Services, actor: Actor, studentId: string) {
  return await database.transaction(async (tx) => {
    await lockForEntry(tx, actor, studentId);
    const record = await profileOf(tx, studentId);
    if (!record) throw new Refusal("not-found");
    const entry = { ...actedBy(actor), subjectId: studentId, detail: { right: "agent" } };
    await recordAudit(tx, { action: "identity-viewed", ...entry });
    return { ...record, entries: await entriesOf(tx, studentId) };
  });
}

type Entry = { studentId: string; version: number; profile: Omit<Profile, "email"> };

/**
 * Saves a student's profile for the assigned agent, if it still has the version that was edited. Marks what has
 * changed, and notifies the student.
 */
export async function saveProfileFor(
  services: Services,
  actor: Actor,
  { studentId, version, profile: form }: Entry,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const student = await lockForEntry(tx, actor, studentId);
    const record = await profileOf(tx, studentId);
    if (record?.version !== version) throw Refusal.conflict();
    const about = { role: "student", today: calendarDate(new Date()), stored: record.profile } as const;
    const profile = checkProfile({ ...form, email: student.email }, about);
    if ("code" in profile) throw Refusal.of(profile);
    const fields = changedFields({ before: record.profile, after: profile });
    if (fields.length === 0) return;
    const save = await storeProfile(tx, studentId, { ...record, after: profile });
    await markEntries(tx, save, actor.userId);
    const detail: AuditDetail = { fields: fields.join(" "), right: "agent" };
    await recordAudit(tx, { action: "profile-saved", ...actedBy(actor), subjectId: studentId, detail });
    const [agent] = await tx.select({ name: user.name }).from(user).where(eq(user.id, actor.userId));
    await notify(services, tx, {
      userId: studentId,
      kind: "enteredForYou",
      eventKey: `entered-for-you:profile:${studentId}:${save.version}`,
      topic: "entered-for-you:profile",
      about: { agent: agent?.name ?? "" },
      ids: { studentId },
      agentId: actor.userId,
      path: "/student-profile",
    });
    await broadcastDashboards(services, tx, "profile", studentId, actor.userId);
    await services.sessions.changed(tx, studentId);
  });
}
