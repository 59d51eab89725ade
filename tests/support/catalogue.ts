import { eq } from "drizzle-orm";
import { onTestFinished } from "vitest";
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

/** Stores a programme until the test ends, for files in which other tests read the whole catalogue. */
export async function storeForTest(
  w: Wayfare,
  at: University,
  changes: Partial<ProgrammeEntry>,
): Promise<string> {
  const id = await storeProgrammeOf(w, at, changes);
  onTestFinished(
    async () => void (await w.services.database.db.delete(programme).where(eq(programme.id, id))),
  );
  return id;
}
