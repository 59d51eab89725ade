import { z } from "zod";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { catalogueLimits } from "#domain/catalogue.ts";
import { programmeLimits } from "#domain/programme.ts";
import { catalogueRowsPerPage, exportedPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, pageOf, text, uuid } from "./base.ts";
import { exportedProgramme, rowReport, rowsOfCall } from "./catalogue-import.ts";
import { catalogueInstitutions, changed, saved, version } from "./catalogue-institutions.ts";
import { catalogueImports } from "./catalogue-past-imports.ts";
import { catalogueTables } from "./catalogue-tables.ts";
import { declared } from "./errors.ts";
import { programmeEntry } from "./programme-entry.ts";

const country = z.enum(studyCountries);
const checkedBy = z
  .string()
  .nullable()
  .meta({ description: "Whoever checked it; null after an import, and once the account is erased." });

const programmeRow = z
  .object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    level: z.enum(studyLevels),
    institution: z.object({ id: z.string(), name: z.string(), country }),
    checkedOn: z.string(),
    checkedBy,
    source: z.string(),
    sample: z.boolean(),
    removed: z.boolean(),
    version,
  })
  .meta({ title: "CatalogueProgramme" });
export type CatalogueProgramme = z.infer<typeof programmeRow>;

const start = z.object({ year: z.number().int(), month: z.number().int() });
const sourceIdOf = z.object({ source: z.string(), sourceId: z.string() });

/** The records that a join of two programmes moves to the one that stays. */
const programmeJoin = z
  .object({
    intakes: z.array(start).meta({ description: "Starts that move." }),
    kept: z.array(start).meta({ description: "Starts that both have: those of the one that stays win." }),
    sourceIds: z.array(sourceIdOf).meta({ description: "By which imports find the one that stays." }),
    shortlisted: z.number().int().meta({ description: "Shortlist items that move." }),
    doubled: z.number().int().meta({ description: "Students who have both, and keep one item." }),
    applications: z.number().int().meta({ description: "Applications that move." }),
  })
  .meta({ title: "ProgrammeJoin" });
export type ProgrammeJoin = z.infer<typeof programmeJoin>;

/** The catalogue of programmes, for admins (docs/product.md, "Programmes: for staff"). */
export const catalogue = {
  ...catalogueInstitutions,

  list: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/programmes",
      summary: "Programmes for staff",
      description:
        "Those that were checked longest ago come first. `show`: all that are in the catalogue, those unchecked for 12 months (`unchecked`), `removed` ones, or `sample` ones.",
    })
    .errors(declared("deadline-exceeded"))
    .input(
      z.object({
        search: text(200).default(""),
        institutionId: uuid.optional(),
        show: z.enum(["all", "unchecked", "removed", "sample"]).default("all"),
        ...pageOf(catalogueRowsPerPage),
      }),
    )
    .output(z.object({ programmes: z.array(programmeRow), next: z.string().nullable() })),

  read: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/programmes/{id}",
      summary: "A programme as it was entered",
      description: "`version` is what a change names.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid }))
    .output(
      z
        .object({
          id: z.string(),
          slug: z.string(),
          version,
          removed: z.boolean(),
          checkedBy,
          institution: z.object({ id: z.string(), name: z.string(), country, zone: z.string() }),
          entry: programmeEntry,
        })
        .meta({ title: "CatalogueEntry" }),
    ),

  save: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/programmes",
      summary: "Add or change a programme",
      description: `Without \`id\` a new one. ${changed} \`already-exists\`: its source has another with this \`sourceId\`. One that was removed is then in the catalogue again.`,
    })
    .errors(declared("not-found", "failed-precondition", "already-exists", "form/incomplete"))
    .input(
      z.object({
        id: uuid.nullable().default(null),
        version: version.default(0),
        institutionId: uuid,
        entry: programmeEntry,
      }),
    )
    .output(saved.extend({ slug: z.string() })),

  remove: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/programmes/{id}",
      summary: "Take a programme out of the catalogue",
      description: "Shortlists and applications keep it. Nothing happens to one that is already out.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid }))
    .output(done),

  bringBack: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/programmes/{id}/returns",
      summary: "Bring a programme back",
      description: "Nothing happens to one that is in the catalogue.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid }))
    .output(done),

  joinProgramme: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/programmes/{id}/joins",
      summary: "Join a programme into another",
      description:
        "The programme `into`, of the same institution, keeps its own facts. It gets the intakes that it lacks, and the shortlist items and applications of the other, whose address and source id lead to it from then on. With `dryRun` nothing is stored, and the answer is the same.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ id: uuid, into: uuid, dryRun: z.boolean().default(false) }))
    .output(programmeJoin),

  markChecked: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/checks",
      summary: "Mark programmes as checked today",
      description: `Up to ${catalogueLimits.marked} at once. \`marked\` counts them: removed and unknown ones are left out.`,
    })
    .input(z.object({ ids: z.array(uuid).min(1).max(catalogueLimits.marked) }))
    .output(z.object({ marked: z.number().int() })),

  sources: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/sources",
      summary: "Sources of programmes",
      description: `The sources that facts come from, by name, each with its programmes in the catalogue. The first ${catalogueLimits.sources}.`,
    })
    .errors(declared("deadline-exceeded"))
    .output(
      z.object({
        sources: z.array(
          z.object({ source: z.string(), programmes: z.number().int() }).meta({ title: "CatalogueSource" }),
        ),
      }),
    ),

  entries: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/entries",
      summary: "Export programmes",
      description:
        "Every programme in the catalogue, or of one `source`, as `putProgrammes` takes it: what is sent back changes nothing.",
    })
    .input(z.object({ source: text(programmeLimits.source).optional(), ...pageOf(exportedPerPage) }))
    .output(z.object({ programmes: z.array(exportedProgramme), next: z.string().nullable() })),

  putProgrammes: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/programmes",
      summary: "Add or change many programmes",
      description: `Up to ${catalogueLimits.rowsOfCall} at once, in a body of at most 128 KB. Each is known by \`source\` and \`sourceId\`, and has an outcome of its own: the others are stored though one is refused. What a programme leaves out stays as it is. What is sent again changes nothing. With \`dryRun\` nothing is stored, and the answer is the same. A call can't be undone: the audit log has its number of programmes alone.`,
    })
    .errors(declared("form/incomplete"))
    .input(z.object({ programmes: rowsOfCall, dryRun: z.boolean().default(false) }))
    .output(z.object({ rows: z.array(rowReport) })),

  addSamples: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/samples",
      summary: "Add sample programmes",
      description: "Twelve invented programmes, marked as samples. Those that are there stay as they are.",
    })
    .errors(declared("failed-precondition"))
    .output(z.object({ added: z.number().int() })),

  ...catalogueImports,
  ...catalogueTables,
};
