import { randomUUID } from "node:crypto";
import { programmeEntry } from "#contract/programme-entry.ts";
import type { StudyCountry } from "#domain/application.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import type { InstitutionEntry, ProgrammeEntry } from "#domain/programme.ts";
import { checkProgramme } from "#domain/programme-check.ts";
import { refreshListingOf } from "#server/features/programmes/listing.ts";
import { storeProgramme } from "#server/features/programmes/store.ts";
import { institution } from "#server/features/programmes/tables.ts";
import type { Database } from "#server/platform/database.ts";

/** A programme that passes every check; its intake is far in the future. */
const programmeForm: ProgrammeEntry = {
  title: "MSc Nursing",
  level: "Postgraduate",
  field: "health",
  award: "MSc",
  months: 12,
  mode: "fullTime",
  language: "en",
  url: "https://leeds.example/nursing",
  checkedOn: calendarDate(new Date()),
  source: "leeds.example",
  sourceId: null,
  sample: false,
  intakes: [{ year: 2090, month: 9, state: "open", deadlines: [] }],
  fees: [],
  requirementSets: [],
};

type Store = { services: { database: Database } };
type StoredInstitution = { id: string; name: string; country: StudyCountry; zone: string };

export async function storeInstitution(
  w: Store,
  { name = "University of Leeds", country = "GB", place = "Leeds" }: Partial<InstitutionEntry> = {},
): Promise<StoredInstitution> {
  const row = { id: randomUUID(), name, country, zone: "Europe/London" };
  await w.services.database.db.insert(institution).values({ ...row, place });
  return row;
}

/** Stores a programme as staff would, or changes the one of `existing`. Returns its id. */
export async function storeProgrammeOf(
  w: Store,
  university: StoredInstitution,
  changes: Partial<ProgrammeEntry> = {},
  existing: string | null = null,
): Promise<string> {
  const form = programmeEntry.parse({ ...programmeForm, ...changes });
  const entry = checkProgramme(form, calendarDate(new Date()));
  if ("code" in entry) throw new Error(entry.message);
  return await w.services.database.transaction(async (tx) => {
    const { id } = await storeProgramme(tx, {
      id: existing,
      institution: university,
      entry,
      checkedBy: null,
    });
    await refreshListingOf(tx, [id]);
    return id;
  });
}
