import { z } from "zod";
import { catalogueLimits, rowOutcomes } from "#domain/catalogue.ts";
import { programmeLimits } from "#domain/programme.ts";
import { text } from "./base.ts";
import { institutionEntry, programmeEntry } from "./programme-entry.ts";

const institutionOfRow = z
  .object({
    ...institutionEntry.shape,
    place: institutionEntry.shape.place.default(""),
    zone: institutionEntry.shape.zone
      .default("")
      .meta({ description: "May be left out for an institution that the catalogue has." }),
    website: institutionEntry.shape.website.default(""),
  })
  .meta({ title: "InstitutionOfProgramme" });

/**
 * A programme with its institution, as files and programs send it. It is known by `source` and `sourceId`, or by the `id`
 * that an export gave it.
 */
export const programmeRow = z
  .object({
    ...programmeEntry.shape,
    id: z.uuid().toLowerCase().optional(),
    institution: institutionOfRow,
    award: programmeEntry.shape.award.default(""),
    months: programmeEntry.shape.months.default(null),
    sample: programmeEntry.shape.sample.default(false),
    source: text(programmeLimits.source * 2).default(""),
    sourceId: programmeEntry.shape.sourceId.default(null),
    intakes: programmeEntry.shape.intakes.default([]),
    fees: programmeEntry.shape.fees.default([]),
    requirementSets: programmeEntry.shape.requirementSets.default([]),
  })
  .meta({ title: "ProgrammeRow" });
export type ProgrammeRow = z.infer<typeof programmeRow>;

/**
 * The outcome of a row. `fields`: those that changed. `why`: the reason of a refusal. `id`: the programme, if it is there.
 */
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

/** The report on a file: what it would do, or has done. Rows that change nothing are only counted, others are listed up to a number. */
export const importReport = z.object({
  hash: z.string(),
  source: z.string(),
  counts: z.record(z.enum(rowOutcomes), z.number().int()),
  rows: z.array(rowReport),
  /** Names of institutions that the catalogue doesn't have yet. */
  newInstitutions: z.array(z.string()),
  /** Programmes of the file's source that are in the catalogue and not in the file. An import leaves them alone. */
  missing: z.object({
    count: z.number().int(),
    programmes: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
});
export type ImportReport = z.infer<typeof importReport>;

export const rowsOfCall = z.array(programmeRow).min(1).max(catalogueLimits.rowsOfCall);
