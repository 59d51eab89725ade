import { eq } from "drizzle-orm";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { readEntries } from "#server/features/programmes/entries.ts";
import { programme } from "#server/features/programmes/tables.ts";
import { storeProgrammeOf } from "./programmes.ts";
import type { Wayfare } from "./wayfare.ts";

export type University = Parameters<typeof storeProgrammeOf>[1];

/** Stores a programme, or changes the one of `existing`. Returns its id, its slug and the ids of its intakes. */
export async function programmeOf(
  w: Wayfare,
  at: University,
  changes: Partial<ProgrammeEntry> = {},
  existing: string | null = null,
) {
  const id = await storeProgrammeOf(w, at, changes, existing);
  const [read] = await readEntries(w.services.database.db, eq(programme.id, id));
  if (!read) throw new Error("The programme was not stored");
  const { slug, intakeIds } = read;
  return { id, slug, intakeIds };
}
