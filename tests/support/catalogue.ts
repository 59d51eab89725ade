import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { checkProgramme } from "#domain/programme-check.ts";
import { readEntries } from "#server/features/programmes/entries.ts";
import { refreshListingOf } from "#server/features/programmes/listing.ts";
import { storeProgramme } from "#server/features/programmes/store.ts";
import { institution, programme } from "#server/features/programmes/tables.ts";
import type { Wayfare } from "./wayfare.ts";

/** A programme with one intake in the far future, which is open. */
export const nursing: ProgrammeEntry = {
  title: "MSc Nursing",
  level: "Postgraduate",
  field: "health",
  award: "MSc",
  months: 12,
  mode: "fullTime",
  language: "en",
  url: "https://leeds.example/nursing",
  checkedOn: "2026-11-01",
  source: "leeds.example",
  sourceId: null,
  sample: false,
  intakes: [{ year: 2090, month: 9, state: "open", deadlines: [] }],
  fees: [],
  requirementSets: [],
};

/** A university of the catalogue, of which every call adds another one. */
export async function university({ services }: Wayfare, name = `University ${randomUUID().slice(0, 8)}`) {
  const added = { id: randomUUID(), name, country: "GB", zone: "Europe/London" } as const;
  await services.database.db.insert(institution).values({ ...added, place: "Leeds" });
  return added;
}
export type University = Awaited<ReturnType<typeof university>>;

/** Stores a programme, or changes the one of `id`. Returns its id, its slug and the ids of its intakes. */
export async function programmeOf(
  { services }: Wayfare,
  at: University,
  changes: Partial<ProgrammeEntry> = {},
  id: string | null = null,
) {
  const entry = checkProgramme({ ...nursing, ...changes }, "2026-11-24");
  if ("code" in entry) throw new Error(entry.message);
  const stored = await services.database.transaction(async (tx) => {
    const added = await storeProgramme(tx, { id, institution: at, entry, checkedBy: null });
    await refreshListingOf(tx, [added.id]);
    return added;
  });
  const [read] = await readEntries(services.database.db, eq(programme.id, stored.id));
  if (!read) throw new Error("The programme was not stored");
  return { id: read.id, slug: read.slug, intakeIds: read.intakeIds };
}
