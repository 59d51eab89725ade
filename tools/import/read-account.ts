import { limits, type Status } from "#domain/account.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { countryCodeOf, isCountry } from "#domain/country.ts";
import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import { type Profile, type ProfileRole, profileFields, requiredFields } from "#domain/profile.ts";
import { checkProfile } from "#domain/profile-check.ts";
import { nameProblem } from "#domain/single-line.ts";
import type { user } from "#server/features/account/tables.ts";
import { columnsOf } from "#server/features/profile/store-profile.ts";
import type { profile } from "#server/features/profile/tables.ts";
import { idOf } from "./ids.ts";
import type { OldAccount } from "./read-export.ts";
import { type Row, refuse } from "./row.ts";

type NewAccount = typeof user.$inferInsert & { role: ProfileRole };
type NewProfile = typeof profile.$inferInsert;
/** `agent` is a student's agent's uid, or empty; `approvedBy` and `revokedBy` are the exported texts for the admin. */
export type ReadAccount = {
  account: NewAccount;
  profile: NewProfile | null;
  agent: string;
  approvedBy: string;
  revokedBy: string;
};

export const accountId = (uid: string): string => idOf("users", uid);

/** Common names of countries, besides the product's own. */
const otherNames = new Map([
  ["uk", "GB"],
  ["great britain", "GB"],
  ["england", "GB"],
  ["scotland", "GB"],
  ["wales", "GB"],
  ["northern ireland", "GB"],
  ["usa", "US"],
  ["u.s.a.", "US"],
  ["united states of america", "US"],
  ["uae", "AE"],
  ["republic of ireland", "IE"],
]);

/** Returns the code of a country; an unknown text is returned unchanged. */
export function countryCode(text: string): string {
  if (isCountry(text.toUpperCase())) return text.toUpperCase();
  return otherNames.get(text.toLowerCase()) ?? countryCodeOf(text);
}

/** Removes the invisible characters that programs put around a number. */
const phoneOf = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/^tel:/i, "")
    .replace(/[\p{Cf}]/gu, "")
    .trim();

/** Reads a field of the profile or, if it is empty there, of the user, together with the row that has it. */
function fieldOfEither(row: Row, profileRow: Row | null, field: string, userField = field): [string, Row] {
  const [there, here] = [profileRow?.text(field) ?? "", row.text(userField)];
  return profileRow !== null && there !== "" ? [there, profileRow] : [here, row];
}

function formOf(row: Row, profileRow: Row | null, email: string): Profile {
  const of = (field: string) => profileRow?.text(field) ?? "";
  const [phone, phoneRow] = fieldOfEither(row, profileRow, "phoneNumber", "phone");
  const [country, countryRow] = fieldOfEither(row, profileRow, "country");
  const [citizenship, gender] = [of("citizenship"), of("gender")];
  const source = profileRow ?? row;
  return {
    firstName: fieldOfEither(row, profileRow, "firstName")[0],
    lastName: fieldOfEither(row, profileRow, "lastName")[0],
    middleName: of("middleName"),
    dateOfBirth: profileRow?.day("dateOfBirth") ?? "",
    idNumber: of("idNumber"),
    citizenship: source.rewritten("citizenship", citizenship, countryCode(citizenship)),
    passportNumber: of("passportNumber"),
    passportExpiry: profileRow?.day("passportExpiry") ?? "",
    gender: source.rewritten("gender", gender, gender.toLowerCase()),
    email,
    phoneNumber: phoneRow.rewritten("phone", phone, phoneOf(phone)),
    addressLine1: of("addressLine1"),
    addressLine2: of("addressLine2"),
    city: of("city"),
    state: of("state"),
    postalCode: of("postalCode"),
    country: countryRow.rewritten("country", country, countryCode(country)),
  };
}

/** Leaves out each field that the form would refuse. Required fields are never left out: the account is refused. */
function checkedProfile(
  form: Profile,
  role: ProfileRole,
  rows: { row: Row; profileRow: Row | null },
  now: Date,
) {
  const { row, profileRow } = rows;
  // Each round empties one field, so there are at most as many rounds as fields.
  for (const _ of profileFields) {
    const profile = checkProfile(form, { role, today: calendarDate(now), stored: {} });
    if (!("code" in profile)) return profile;
    const { field, message } = profile;
    if (field === "email" || requiredFields[role].includes(field)) refuse(`${field}: ${message}`);
    form[field] = "";
    (profileRow ?? row).mend(`${field} left empty: ${message}`);
  }
  return refuse("its profile can't be read");
}

function roleOf(row: Row): ProfileRole {
  const role = row.text("role").toLowerCase();
  if (role === "admin") return refuse("an admin: those are in ADMIN_EMAILS and get a link at the start");
  return role === "student" || role === "agent" ? role : refuse("role is neither student nor agent");
}

const agentStatus = new Map<string, Status>([
  ["", "pending"],
  ["pending", "pending"],
  ["active", "approved"],
  ["approved", "approved"],
  ["revoked", "revoked"],
]);
const studentStatuses = new Set(["", "active", "approved"]);

function statusOf(row: Row, role: ProfileRole, old: OldAccount | null): Status {
  const text = row.text("status").toLowerCase();
  if (text === "denied") return refuse("status is denied: nothing is kept of a denied agent");
  const status = role === "agent" ? agentStatus.get(text) : studentStatuses.has(text) ? "active" : undefined;
  if (status === undefined) return refuse("status is none that is known");
  if (old?.disabled === true) return "disabled";
  if (text === "") row.mend(`status was missing: ${status}`);
  // Agents see every student's contact details, and in the older product users could write this field themselves.
  if (status !== "approved" || row.value("approvedAt")) return status;
  row.mend("status is pending: nothing says when it was approved");
  return "pending";
}

/** Reads an agent's agency, which is named in mails to students. */
function agencyOf(row: Row): string {
  const agency = row.text("agency");
  if (agency.length <= limits.agency && nameProblem(agency, "Agency name") === null) return agency;
  row.mend("agency left empty: too long, or it can't be shown in a mail");
  return "";
}

/** Reads an agent's approval. Enabling an agent who was disabled since approves them again. */
function decisionsOf(row: Row, now: Date) {
  const status = agentStatus.get(row.text("status").toLowerCase());
  const isRevoked = status === "revoked";
  const isDecided = isRevoked || status === "approved";
  return {
    approvedAt: isDecided ? row.past("approvedAt", now) : null,
    approvedBy: isDecided ? row.text("approvedBy") : "",
    revokedAt: isRevoked ? row.past("revokedAt", now) : null,
    revokedBy: isRevoked ? row.text("revokedBy") : "",
  };
}

/**
 * Reads an account as it is stored, or refuses it. Changes to the profile since sign-up count: it also has names, phone
 * and country. `old` is the identity service's record of the account.
 */
export function readAccount(
  uid: string,
  row: Row,
  profileRow: Row | null,
  old: OldAccount | null,
  { now, adminEmails }: { now: Date; adminEmails: readonly string[] },
): ReadAccount {
  const role = roleOf(row);
  const email = emailOf(row, old);
  if (!looksLikeEmail(email)) refuse("email is no address");
  if (adminEmails.includes(email)) refuse("its address is in ADMIN_EMAILS: it gets a link at the start");
  const status = statusOf(row, role, old);
  const form = formOf(row, profileRow, email);
  const profile = checkedProfile(form, role, { row, profileRow }, now);
  const { firstName, lastName, phoneNumber, country } = profile;
  if (profileRow !== null && normaliseEmail(profileRow.text("email") || email) !== email)
    profileRow.mend("email is the account's");
  const id = accountId(uid);
  const { approvedBy, revokedBy, ...dates } =
    role === "agent"
      ? decisionsOf(row, now)
      : { approvedAt: null, approvedBy: "", revokedAt: null, revokedBy: "" };
  const createdAt = createdAtOf(row, old, now);
  row.value("uid");
  return {
    account: {
      id,
      name: `${firstName} ${lastName}`,
      email,
      // Any user could have written to the user document itself.
      emailVerified: old?.emailVerified === true,
      createdAt,
      updatedAt: createdAt,
      role,
      status,
      firstName,
      lastName,
      phone: phoneNumber,
      agency: role === "agent" ? agencyOf(row) : "",
      country,
      ...dates,
      disabledAt: status === "disabled" ? now : null,
    },
    profile: profileRow && { userId: id, ...columnsOf(profile) },
    agent: role === "student" ? (profileRow?.text("assignedAgent") ?? "") : "",
    approvedBy,
    revokedBy,
  };
}

/** Returns the address that an account logs in with: the identity service's, if it has one. */
export const addressOf = (email: unknown, old: OldAccount | null): string =>
  normaliseEmail(old?.email ?? (typeof email === "string" ? email : ""));

function emailOf(row: Row, old: OldAccount | null): string {
  const text = row.text("email");
  const email = addressOf(text, old);
  if (normaliseEmail(text) !== email) row.mend("email is that of the log-in");
  else if (text !== email) row.mend("email in small letters");
  return email;
}

function createdAtOf(row: Row, old: OldAccount | null, now: Date): Date {
  const createdAt = row.past("createdAt", now);
  if (createdAt) return createdAt;
  const signedUp = old?.createdAt === undefined ? null : new Date(old.createdAt);
  row.mend(`createdAt is that of ${signedUp ? "the log-in" : "the import"}`);
  return signedUp ?? now;
}
