import { eq } from "drizzle-orm";
import { calendarDate } from "#domain/calendar-date.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { mayHaveProfile } from "#domain/permission.ts";
import { isGender, type Profile, profileFields } from "#domain/profile.ts";
import { checkProfile } from "#domain/profile-check.ts";
import { askedEmailOf } from "#server/features/account/asked-email.ts";
import type { AccountNews } from "#server/features/account/sessions.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit, recordAuditOnce } from "#server/features/audit/commands.ts";
import { touchDesks } from "#server/features/notifications/commands.ts";
import { profile } from "#server/features/students/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { profileOf } from "./queries.ts";

/** Minutes for which looks at one's own profile are one entry of the audit log. */
const ownLookLasts = 10;

/** Reads one's own profile, with the address that waits to be confirmed. It holds identity fields: looks are in the audit log. */
export async function openProfile({ database }: Services, { userId, address }: Actor) {
  return await database.transaction(async (tx) => {
    const found = await profileOf(tx, userId);
    if (!found) return null;
    const look = { action: "identity-viewed", actorId: userId, subjectId: userId, address } as const;
    await recordAuditOnce(tx, look, ownLookLasts);
    return { ...found, pendingEmail: await askedEmailOf(tx, userId) };
  });
}

export type SaveOutcome =
  | { kind: "saved" }
  | { kind: "problem"; problem: Problem }
  /** The profile was saved by somebody else since `version`. */
  | { kind: "changedMeanwhile" }
  | { kind: "notAllowed" };

/**
 * Saves a profile (spec 3, 5) if it still is the version that was edited. Names, phone and country stand on the
 * account (product decisions, "One fact, one place"); the email stays as it is, `changeEmail` is its way.
 */
export async function saveProfile(
  services: Services,
  actor: Actor,
  version: number,
  typed: Omit<Profile, "email">,
): Promise<SaveOutcome> {
  const result = await services.database.transaction(async (tx): Promise<SaveOutcome | AccountNews> => {
    const holder = await lockHolder(tx, actor.userId);
    if (!holder || (holder.role !== "student" && holder.role !== "agent") || !mayHaveProfile(holder))
      return { kind: "notAllowed" };
    const stored = await profileOf(tx, actor.userId);
    if (stored?.version !== version) return { kind: "changedMeanwhile" };
    const checked = checkProfile(
      { ...typed, email: holder.email },
      { role: holder.role, today: calendarDate(new Date()), stored: stored.profile },
    );
    if ("code" in checked) return { kind: "problem", problem: checked };
    await store(tx, actor.userId, version, checked);
    // The admin's lists show an agent's name.
    if (holder.role === "agent") await services.live.publish("agents", "{}", tx);
    return await tell(services, tx, actor, stored.profile, checked);
  });
  if ("kind" in result) return result;
  services.sessions.forget(result);
  return { kind: "saved" };
}

/** Of two who save at once the second waits here, and then finds another version. */
async function lockHolder(tx: Transaction, userId: string) {
  const [found] = await tx
    .select({ role: user.role, status: user.status, email: user.email, country: user.country })
    .from(user)
    .where(eq(user.id, userId))
    .for("update");
  return found;
}

async function store(tx: Transaction, userId: string, version: number, checked: Profile): Promise<void> {
  const { firstName, lastName, email: _unchanged, phoneNumber, country, gender, ...texts } = checked;
  const updatedAt = new Date();
  const name = `${firstName} ${lastName}`;
  await tx
    .update(user)
    .set({ firstName, lastName, name, phone: phoneNumber, country, updatedAt })
    .where(eq(user.id, userId));
  const values = {
    ...texts,
    dateOfBirth: texts.dateOfBirth || null,
    passportExpiry: texts.passportExpiry || null,
    gender: isGender(gender) ? gender : null,
    version: version + 1,
    updatedAt,
  };
  await tx
    .insert(profile)
    .values({ ...values, userId })
    .onConflictDoUpdate({ target: profile.userId, set: values });
}

/** The audit log names the fields that changed, never what is in them. */
async function tell(
  services: Services,
  tx: Transaction,
  { userId, address }: Actor,
  before: Profile,
  after: Profile,
): Promise<AccountNews> {
  const fields = profileFields.filter((field) => before[field] !== after[field]).join(" ");
  await recordAudit(tx, {
    action: "profile-saved",
    actorId: userId,
    subjectId: userId,
    address,
    detail: { fields },
  });
  await touchDesks(services, tx, userId);
  const news = { userId, ended: false };
  await services.sessions.announce(tx, news);
  return news;
}
