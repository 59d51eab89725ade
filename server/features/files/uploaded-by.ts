import { alias } from "drizzle-orm/pg-core";
import type { EnteredBy } from "#domain/on-behalf.ts";
import { user } from "#server/features/account/tables.ts";
import { storedFile } from "./tables.ts";

/** The account of whoever uploaded a file in its owner's place, to be joined to the left. */
export const uploader = alias(user, "uploader");

/** The columns that say who uploaded a file in its owner's place. */
export const entry = { by: storedFile.uploadedBy, name: uploader.name, agency: uploader.agency };

type Entry = { by: string | null; name: string | null; agency: string | null } | null;

/** Returns who uploaded a file in its owner's place; null where the owner did. */
export const enteredBy = (row: Entry): EnteredBy | null =>
  row === null || row.by === null ? null : { name: row.name, agency: row.agency ?? "" };
