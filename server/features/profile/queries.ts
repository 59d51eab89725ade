import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Identity, Profile } from "#domain/profile.ts";
import type { Reader } from "#server/platform/database.ts";
import { user } from "../account/tables.ts";
import { profile } from "./tables.ts";

/** Selects a column as text, empty for null. */
const orEmpty = (column: PgColumn) => sql<string>`coalesce(${column}::text, '')`;

/** The twelve columns that count as progress, in a query of `user` left-joined with `profile`. */
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
 * Returns a user's profile and the version of its last save, 0 before the first. It contains identity fields, so check
 * the permission and write the audit entry first.
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

/** Returns identity fields of several accounts by id. Check the permission and write the audit entries first. */
export async function identitiesOf(db: Reader, ids: readonly string[]): Promise<Map<string, Identity>> {
  const rows = await db
    .select({ id: user.id, identity: profileColumns })
    .from(user)
    .leftJoin(profile, eq(profile.userId, user.id))
    .where(sql`${user.id} = any(${sql.param([...ids])}::text[])`);
  return new Map(rows.map(({ id, identity }) => [id, identity]));
}
