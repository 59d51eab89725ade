import { eq } from "drizzle-orm";
import type { Profile } from "#domain/profile.ts";
import type { Reader } from "#server/platform/database.ts";
import { user } from "../account/tables.ts";
import { profile } from "./tables.ts";

/** The fields of `user` and `profile` (joined to the left) that make up a profile. */
const profileColumns = {
  firstName: user.firstName,
  lastName: user.lastName,
  middleName: profile.middleName,
  dateOfBirth: profile.dateOfBirth,
  idNumber: profile.idNumber,
  citizenship: profile.citizenship,
  passportNumber: profile.passportNumber,
  passportExpiry: profile.passportExpiry,
  gender: profile.gender,
  email: user.email,
  phoneNumber: user.phone,
  addressLine1: profile.addressLine1,
  addressLine2: profile.addressLine2,
  city: profile.city,
  state: profile.state,
  postalCode: profile.postalCode,
  country: user.country,
};

type StoredProfile = { [Field in keyof Profile]: string | null };

/** Texts, empty where nothing is stored. */
const asProfile = (stored: StoredProfile): Profile => ({
  firstName: stored.firstName ?? "",
  lastName: stored.lastName ?? "",
  middleName: stored.middleName ?? "",
  dateOfBirth: stored.dateOfBirth ?? "",
  idNumber: stored.idNumber ?? "",
  citizenship: stored.citizenship ?? "",
  passportNumber: stored.passportNumber ?? "",
  passportExpiry: stored.passportExpiry ?? "",
  gender: stored.gender ?? "",
  email: stored.email ?? "",
  phoneNumber: stored.phoneNumber ?? "",
  addressLine1: stored.addressLine1 ?? "",
  addressLine2: stored.addressLine2 ?? "",
  city: stored.city ?? "",
  state: stored.state ?? "",
  postalCode: stored.postalCode ?? "",
  country: stored.country ?? "",
});

/** Somebody's profile and the version of its last save: 0 before the first. Holds identity fields: ask and audit before. */
export async function profileOf(
  db: Reader,
  userId: string,
): Promise<{ version: number; profile: Profile } | null> {
  const [found] = await db
    .select({ version: profile.version, fields: profileColumns })
    .from(user)
    .leftJoin(profile, eq(profile.userId, user.id))
    .where(eq(user.id, userId));
  return found ? { version: found.version ?? 0, profile: asProfile(found.fields) } : null;
}
