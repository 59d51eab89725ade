import { alias } from "drizzle-orm/pg-core";
import type { EnteredBy } from "#domain/on-behalf.ts";
import { user } from "#server/features/account/tables.ts";
import { storedFile } from "./tables.ts";

/** The account that uploaded a file on its owner's behalf, for a left join. */
export const uploader = alias(user, "uploader");

/** Columns about the user who uploaded a file on its owner's behalf. */
export const entry = { by: storedFile.uploadedBy, name: uploader.name, agency: uploader.agency };

type Entry = { by: string | null; name: string | null; agency: string | null } | null;

/** Returns the user who uploaded a file on its owner's behalf; null if the owner did. */
export const enteredBy = (row: Entry): EnteredBy | null =>
  row === null || row.by === null ? null : { name: row.name, agency: row.agency ?? "" };
