import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Identity, Profile } from "#domain/profile.ts";
import type { Reader } from "#server/platform/database.ts";
import { user } from "../account/tables.ts";
import { profile } from "./tables.ts";

/** Selects a column as text, which is empty where nothing is stored. */
const orEmpty = (column: PgColumn) => sql<string>`coalesce(${column}::text, '')`;

/** The twelve fields that count as progress, of `user` and `profile` (joined to the left). */
export const countedColumns = {
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  phoneNumber: user.phone,
  country: user.country,
  dateOfBirth: orEmpty(profile.dateOfBirth),
  citizenship: orEmpty(profile.citizenship),
  gender: orEmpty(profile.gender),
  addressLine1: orEmpty(profile.addressLine1),
  city: orEmpty(profile.city),
  state: orEmpty(profile.state),
  postalCode: orEmpty(profile.postalCode),
};

const profileColumns = {
  ...countedColumns,
  middleName: orEmpty(profile.middleName),
  idNumber: orEmpty(profile.idNumber),
  passportNumber: orEmpty(profile.passportNumber),
  passportExpiry: orEmpty(profile.passportExpiry),
  addressLine2: orEmpty(profile.addressLine2),
};

/**
 * Returns somebody's profile and the version of its last save, 0 before the first. It holds identity fields: check the
 * permission and write the audit entry before.
 */
export async function profileOf(
  db: Reader,
  userId: string,
): Promise<{ version: number; profile: Profile } | null> {
  const [row] = await db
    .select({ version: profile.version, profile: profileColumns })
    .from(user)
    .leftJoin(profile, eq(profile.userId, user.id))
    .where(eq(user.id, userId));
  return row ? { ...row, version: row.version ?? 0 } : null;
}

/**
 * Returns the identity fields of several accounts by their ids. Check the permission and write the audit entries before.
 */
export async function identitiesOf(db: Reader, ids: readonly string[]): Promise<Map<string, Identity>> {
  const rows = await db
    .select({ id: user.id, identity: profileColumns })
    .from(user)
    .leftJoin(profile, eq(profile.userId, user.id))
    .where(sql`${user.id} = any(${sql.param([...ids])}::text[])`);
  return new Map(rows.map(({ id, identity }) => [id, identity]));
}
