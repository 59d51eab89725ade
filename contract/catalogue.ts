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
const checkedBy = z.string().nullable().meta({
  description: "Name of the person who checked it; null after an import, and once the account is erased.",
});

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
    intakes: z.array(start).meta({ description: "Intakes that move." }),
    kept: z.array(start).meta({
      description: "Intakes that both programmes have. Those of the programme that stays are kept.",
    }),
    sourceIds: z
      .array(sourceIdOf)
      .meta({ description: "Source ids by which imports find the programme that stays." }),
    shortlisted: z.number().int().meta({ description: "Number of shortlist items that move." }),
    doubled: z.number().int().meta({
      description: "Number of students who have both programmes on their shortlist, and keep one item.",
    }),
    applications: z.number().int().meta({ description: "Number of applications that move." }),
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
      summary: "List programmes for staff",
      description:
        "Returns programmes, those with the oldest check first. `show` selects all programmes in the catalogue (`all`), those that have not been checked for 12 months (`unchecked`), those that were removed (`removed`), or samples (`sample`).",
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
      summary: "Get a programme as it was entered",
      description: "Returns the entry, and the `version` to send with a change.",
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
      description: `Adds a programme, or changes the one with \`id\`. A programme that was removed returns to the catalogue. ${changed} \`already-exists\`: the source has another programme with this \`sourceId\`.`,
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
      summary: "Remove a programme from the catalogue",
      description:
        "Shortlists and applications keep the programme. The call has no effect if it is already removed.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid }))
    .output(done),

  bringBack: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/programmes/{id}/returns",
      summary: "Return a programme to the catalogue",
      description: "The call has no effect if the programme is in the catalogue.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid }))
    .output(done),

  joinProgramme: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/programmes/{id}/joins",
      summary: "Merge a programme into another",
      description:
        "The programme `into`, which must be of the same institution, keeps its own facts. It receives the intakes that it lacks, and the shortlist items and applications of the other programme, whose address and source id lead to it from then on. With `dryRun`, nothing is stored, and the response is the same.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ id: uuid, into: uuid, dryRun: z.boolean().default(false) }))
    .output(programmeJoin),

  markChecked: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/checks",
      summary: "Mark programmes as checked today",
      description: `Marks up to ${catalogueLimits.marked} programmes. \`marked\` is the number of programmes that were marked; removed and unknown programmes are left out.`,
    })
    .input(z.object({ ids: z.array(uuid).min(1).max(catalogueLimits.marked) }))
    .output(z.object({ marked: z.number().int() })),

  sources: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/sources",
      summary: "List sources of programmes",
      description: `Returns the sources of facts by name, each with the number of its programmes in the catalogue. Only the first ${catalogueLimits.sources} are returned.`,
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
        "Returns every programme in the catalogue, or those of one `source`, in the form that `putProgrammes` accepts. Sending them back changes nothing.",
    })
    .input(z.object({ source: text(programmeLimits.source).optional(), ...pageOf(exportedPerPage) }))
    .output(z.object({ programmes: z.array(exportedProgramme), next: z.string().nullable() })),

  putProgrammes: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/programmes",
      summary: "Add or change many programmes",
      description: `Accepts up to ${catalogueLimits.rowsOfCall} programmes, in a body of at most 128 KB. Each programme is identified by \`source\` and \`sourceId\`, or by the \`id\` from an export. It has a separate outcome: if one programme is refused, the others are still stored. Omitted fields keep their values. Sending the same programmes again changes nothing. With \`dryRun\`, nothing is stored, and the outcomes are the same. A call can't be undone; the audit log records only the number of programmes that it changed.`,
    })
    .errors(declared("form/incomplete"))
    .input(z.object({ programmes: rowsOfCall, dryRun: z.boolean().default(false) }))
    .output(z.object({ rows: z.array(rowReport) })),

  addSamples: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/samples",
      summary: "Add sample programmes",
      description:
        "Adds twelve invented programmes, which are marked as samples. Existing samples stay as they are.",
    })
    .output(z.object({ added: z.number().int() })),

  ...catalogueImports,
  ...catalogueTables,
};
