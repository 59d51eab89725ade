import { eq } from "drizzle-orm";
import { isHelpedByAdmins } from "#domain/account-help.ts";
import { type Agency, agencyProblem } from "#domain/agency.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { countryCodeOf, countryName } from "#domain/country.ts";
import { isAdmin, mayHaveProfile } from "#domain/permission.ts";
import type { Profile } from "#domain/profile.ts";
import { checkDetails, checkProfile, type Details, detailFields } from "#domain/profile-check.ts";
import { accountById, lockAccount, lockActor } from "#server/features/account/queries.ts";
import { requestedEmailOf } from "#server/features/account/requested-email.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit, recordOwn } from "#server/features/audit/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { changedFields, entriesOf, markEntries } from "./entries.ts";
import { detailsEditedMail } from "./mails.ts";
import { profileOf } from "./queries.ts";
import { storeProfile } from "./store-profile.ts";

/**
 * Returns the caller's own profile, with the new address that is not confirmed yet. Only views of other people's
 * profiles are audited.
 */
export async function openProfile({ database: { db } }: Services, userId: string) {
  const record = await profileOf(db, userId);
  if (!record) throw new Refusal("unauthenticated");
  const [pendingEmail, entries] = await Promise.all([requestedEmailOf(db, userId), entriesOf(db, userId)]);
  return { ...record, pendingEmail, entries };
}

/**
 * Saves a profile if it still has the version that was edited. Names, phone and country are stored on the account. The
 * email has its own procedure.
 */
export async function saveProfile(
  services: Services,
  actor: Actor,
  version: number,
  form: Omit<Profile, "email">,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    // Locks the account, so that the second of two concurrent saves finds another version.
    const holder = await lockAccount(tx, actor.userId, "update");
    if (!holder || (holder.role !== "student" && holder.role !== "agent") || !mayHaveProfile(holder))
      throw new Refusal("permission-denied");
    const record = await profileOf(tx, actor.userId);
    if (record?.version !== version) throw Refusal.conflict();
    const profile = checkProfile(
      { ...form, email: holder.email },
      { role: holder.role, today: calendarDate(new Date()), stored: record.profile },
    );
    if ("code" in profile) throw Refusal.of(profile);
    const save = await storeProfile(tx, actor.userId, { ...record, after: profile });
    await markEntries(tx, save, null);
    // The admin's lists show an agent's name.
    if (holder.role === "agent") await services.live.publish("agents", "{}", tx);
    await recordOwn(tx, "profile-saved", actor, { fields: changedFields(save).join(" ") });
    await broadcastDashboards(services, tx, "profile", actor.userId);
    await services.sessions.changed(tx, actor.userId);
  });
}

/** Returns the details of a student or an agent that an admin may edit, with their version. */
export async function detailsOf({ database: { db } }: Services, userId: string) {
  const holder = await accountById(db, userId);
  const record = await profileOf(db, userId);
  if (!holder || !record || !isHelpedByAdmins(holder)) throw new Refusal("not-found");
  const { firstName, lastName, phone, email, role, agency, country } = holder;
  const details = { firstName, lastName, phoneNumber: phone, agency, country: countryName(country) };
  return { id: userId, role, email, ...details, version: record.version };
}

/**
 * Changes a user's name and phone number, and an agent's agency and country if given, for an admin. Refuses the change
 * unless the details still have the version that was edited. Emails the user which of them changed.
 */
export async function editDetails(
  services: Services,
  actor: Actor,
  { userId, version, ...form }: Details & AgencyChange & { userId: string; version: number },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const holder = await lockAccount(tx, userId, "update");
    const record = await profileOf(tx, userId);
    if (!holder || !record || (holder.role !== "student" && holder.role !== "agent"))
      throw new Refusal("not-found");
    if (record.version !== version) throw Refusal.conflict();
    const about = { role: holder.role, today: calendarDate(new Date()), stored: record.profile };
    const details = checkDetails(form, about);
    if ("code" in details) throw Refusal.of(details);
    const { agency, country } = holder.role === "agent" ? agencyAfter(holder, form) : holder;
    const fields = [
      ...detailFields.filter((field) => record.profile[field] !== details[field]),
      ...(agency === holder.agency ? [] : (["agency"] as const)),
      ...(country === holder.country ? [] : (["country"] as const)),
    ];
    if (fields.length === 0) return;
    await tx.update(user).set({ agency }).where(eq(user.id, userId));
    const save = await storeProfile(tx, userId, {
      ...record,
      after: { ...record.profile, ...details, country },
    });
    await markEntries(tx, save, null);
    if (holder.role === "agent") await services.live.publish("agents", "{}", tx);
    const detail: AuditDetail = { fields: fields.join(" ") };
    await recordAudit(tx, { action: "details-edited", ...actedBy(actor), subjectId: userId, detail });
    await queueMail(services.jobs, tx, detailsEditedMail, { userId, changed: fields });
    await broadcastDashboards(services, tx, "profile", userId, holder.assignedAgentId);
    await services.sessions.changed(tx, userId);
  });
}

/** An omitted field keeps its value. */
type AgencyChange = { [Field in keyof Agency]?: Agency[Field] | undefined };

/** Returns an agent's agency and country after a change; refuses invalid input. */
function agencyAfter(holder: Agency, change: AgencyChange): Agency {
  const form = { agency: change.agency ?? holder.agency, country: change.country ?? holder.country };
  const isChanged = form.agency !== holder.agency || countryCodeOf(form.country) !== holder.country;
  const problem = isChanged ? agencyProblem(form) : null;
  if (problem) throw Refusal.of(problem);
  return { agency: form.agency.trim(), country: countryCodeOf(form.country.trim()) };
}
