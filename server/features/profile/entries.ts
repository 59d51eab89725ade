import { and, desc, eq, inArray } from "drizzle-orm";
import type { ProfileEntry } from "#contract/profile.ts";
import { type Profile, type ProfileField, profileFields } from "#domain/profile.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { enteredField } from "./tables.ts";

/** A save of a profile: its fields before and after, and its new version. */
type Save = { userId: string; before: Profile; after: Profile; version: number; at: Date };

export const changedFields = ({ before, after }: Pick<Save, "before" | "after">): ProfileField[] =>
  profileFields.filter((field) => before[field] !== after[field]);

/**
 * Marks the fields that a save changes with the person who entered them. Pass null for the holder or an admin, whose
 * changes clear the mark.
 */
export async function markEntries(tx: Transaction, save: Save, enteredBy: string | null): Promise<void> {
  const fields = changedFields(save);
  if (fields.length === 0) return;
  const { userId, version, at } = save;
  await tx
    .delete(enteredField)
    .where(and(eq(enteredField.userId, userId), inArray(enteredField.field, fields)));
  if (enteredBy === null) return;
  await tx
    .insert(enteredField)
    .values(fields.map((field) => ({ userId, field, enteredBy, enteredAt: at, version })));
}

/** Lists the saves of a profile by others of which some fields are still unchanged, latest first. */
export async function entriesOf(db: Reader, userId: string): Promise<ProfileEntry[]> {
  const rows = await db
    .select({
      version: enteredField.version,
      field: enteredField.field,
      at: enteredField.enteredAt,
      name: user.name,
      agency: user.agency,
    })
    .from(enteredField)
    .leftJoin(user, eq(user.id, enteredField.enteredBy))
    .where(eq(enteredField.userId, userId))
    .orderBy(desc(enteredField.version));
  return [...Map.groupBy(rows, ({ version }) => version).values()].flatMap((rowsOfVersion) => {
    const [first] = rowsOfVersion;
    if (first === undefined) return [];
    const names = new Set(rowsOfVersion.map(({ field }) => field));
    const fields = profileFields.filter((field) => names.has(field));
    return [{ by: { name: first.name, agency: first.agency ?? "" }, at: first.at, fields }];
  });
}
