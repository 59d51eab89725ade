import { eq } from "drizzle-orm";
import { isGender, type Profile } from "#domain/profile.ts";
import { user } from "#server/features/account/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import { profile } from "./tables.ts";

/** A checked profile, with the stored one that it replaces. */
type Change = { version: number; profile: Profile; after: Profile };

/** Stores a profile as its next version. Names, phone and country are stored on the account. */
export async function storeProfile(tx: Transaction, userId: string, change: Change) {
  const { firstName, lastName, phoneNumber, country } = change.after;
  const at = new Date();
  const version = change.version + 1;
  const name = `${firstName} ${lastName}`;
  await tx
    .update(user)
    .set({ firstName, lastName, name, phone: phoneNumber, country, updatedAt: at })
    .where(eq(user.id, userId));
  const values = { ...columnsOf(change.after), version, updatedAt: at };
  await tx
    .insert(profile)
    .values({ ...values, userId })
    .onConflictDoUpdate({ target: profile.userId, set: values });
  return { userId, before: change.profile, after: change.after, version, at };
}

/** Returns those columns of a checked profile that are not stored on the account. */
export function columnsOf({
  firstName: _first,
  lastName: _last,
  email: _email,
  phoneNumber: _phone,
  country: _country,
  ...fields
}: Profile) {
  return {
    ...fields,
    dateOfBirth: fields.dateOfBirth || null,
    passportExpiry: fields.passportExpiry || null,
    gender: isGender(fields.gender) ? fields.gender : null,
  };
}
