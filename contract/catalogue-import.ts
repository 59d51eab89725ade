import { z } from "zod";
import { catalogueLimits, rowOutcomes } from "#domain/catalogue.ts";
import { programmeLimits } from "#domain/programme.ts";
import { institutionEntry, intakeEntry, programmeEntry } from "./programme-entry.ts";

const institutionOfRow = z
  .object({
    ...institutionEntry.shape,
    place: institutionEntry.shape.place.default(""),
    zone: institutionEntry.shape.zone
      .default("")
      .meta({ description: "Can be omitted for an institution that is in the catalogue." }),
    website: institutionEntry.shape.website.default(""),
  })
  .meta({ title: "InstitutionOfProgramme" });

/**
 * A programme with its institution, as files and programs send it. It is identified by `source` and `sourceId`, or by
 * the `id` from an export. Omitted fields stay as they are, and are empty in a new programme.
 */
export const programmeRow = z
  .object({
    ...programmeEntry.shape,
    id: z.uuid().toLowerCase().optional(),
    institution: institutionOfRow,
    award: programmeEntry.shape.award.optional(),
    months: programmeEntry.shape.months.optional(),
    sample: programmeEntry.shape.sample.optional(),
    source: programmeEntry.shape.source.default(""),
    sourceId: programmeEntry.shape.sourceId.optional(),
    intakes: z
      .array(intakeEntry.partial({ deadlines: true }))
      .max(programmeLimits.intakes * 2)
      .optional(),
    fees: programmeEntry.shape.fees.optional(),
    requirementSets: programmeEntry.shape.requirementSets.optional(),
  })
  .meta({ title: "ProgrammeRow" });
export type ProgrammeRow = z.infer<typeof programmeRow>;

/** A whole programme with its institution, as in exports. Sent back as a `ProgrammeRow`, it changes nothing. */
export const exportedProgramme = z
  .object({ ...programmeEntry.shape, id: z.string(), institution: institutionEntry })
  .meta({ title: "ExportedProgramme" });
export type ExportedProgramme = z.infer<typeof exportedProgramme>;

/** The outcome of a row. `fields`: the changed ones. `why`: the reason of a refusal. `id`: the programme's, if any. */
export const rowReport = z
  .object({
    number: z.number().int(),
    title: z.string(),
    outcome: z.enum(rowOutcomes),
    fields: z.array(z.string()),
    why: z.string(),
    id: z.string().nullable(),
  })
  .meta({ title: "ProgrammeRowReport" });
export type RowReport = z.infer<typeof rowReport>;

/** The report on a file's import, before or after it. Unchanged rows are only counted, others listed up to a limit. */
export const importReport = z.object({
  hash: z.string(),
  source: z.string(),
  counts: z.record(z.enum(rowOutcomes), z.number().int()),
  rows: z.array(rowReport),
  /** Names of institutions that the catalogue doesn't have yet. */
  newInstitutions: z.array(z.string()),
  /** Programmes of the file's source that are in the catalogue but not in the file. An import doesn't change them. */
  missing: z.object({
    count: z.number().int(),
    programmes: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
});
export type ImportReport = z.infer<typeof importReport>;

export const rowsOfCall = z.array(programmeRow).min(1).max(catalogueLimits.rowsOfCall);
