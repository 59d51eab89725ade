import { z } from "zod";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { catalogueLimits } from "#domain/catalogue.ts";
import { currencies } from "#domain/currency.ts";
import { programmeLimits } from "#domain/programme.ts";
import { gradeScaleNames } from "#domain/qualification.ts";
import { catalogueRowsPerPage, exportedPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, pageOf, text } from "./base.ts";
import { programmeRow, rowReport, rowsOfCall } from "./catalogue-import.ts";
import { declared } from "./errors.ts";
import { institutionEntry, programmeEntry } from "./programme-entry.ts";

const uuid = z.uuid().toLowerCase();
const country = z.enum(studyCountries);
const version = z.number().int();
const saved = z.object({ id: z.string(), version }).meta({ title: "SavedVersion" });

const institution = z
  .object({
    id: z.string(),
    ...institutionEntry.shape,
    otherNames: z.array(z.string()),
    version,
    /** Its programmes in the catalogue. */
    programmes: z.number().int(),
  })
  .meta({ title: "CatalogueInstitution" });
export type CatalogueInstitution = z.infer<typeof institution>;

const listed = z
  .object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    level: z.enum(studyLevels),
    institution: z.object({ id: z.string(), name: z.string(), country }),
    checkedOn: z.string(),
    source: z.string(),
    sample: z.boolean(),
    removed: z.boolean(),
    version,
  })
  .meta({ title: "CatalogueProgramme" });
export type CatalogueProgramme = z.infer<typeof listed>;

const group = z
  .object({ id: z.string(), name: z.string(), countries: z.array(z.string()) })
  .meta({ title: "NationalityGroup" });
const equivalence = z
  .object({
    fromScale: z.enum(gradeScaleNames),
    fromGrade: text(40),
    toScale: z.enum(gradeScaleNames),
    toGrade: text(40),
    firstYear: z.number().int().nullable(),
    lastYear: z.number().int().nullable(),
    source: text(catalogueLimits.equivalenceSource * 2),
  })
  .meta({ title: "GradeEquivalence" });
const rate = z
  .object({
    day: text(10),
    currency: z.enum(currencies),
    perRand: text(30).meta({ description: "How much of the currency one rand is, such as 0.0432." }),
  })
  .meta({ title: "ExchangeRate" });

const importRow = z.object({
  id: z.string(),
  source: z.string(),
  startedAt: z.date(),
  finishedAt: z.date().nullable(),
  undoneAt: z.date().nullable(),
  added: z.number().int(),
  changed: z.number().int(),
  /** Whether it is the newest of its source and can be undone. */
  undoable: z.boolean(),
});
export type CatalogueImport = z.infer<typeof importRow>;

const changed = "`failed-precondition`: it has changed in between.";

/** The catalogue of programmes, for admins (docs/product.md, "Programmes: for staff"). */
export const catalogue = {
  institutions: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/institutions",
      summary: "Institutions of the catalogue",
      description: "In the order of their names. `search` finds words of names, other names and places.",
    })
    .errors(declared("deadline-exceeded"))
    .input(
      z.object({
        search: text(200).default(""),
        country: country.optional(),
        ...pageOf(catalogueRowsPerPage),
      }),
    )
    .output(z.object({ institutions: z.array(institution), next: z.string().nullable() })),

  saveInstitution: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/institutions",
      summary: "Add or change an institution",
      description: `Without \`id\` a new one. ${changed} \`already-exists\`: its country has one of this name.`,
    })
    .errors(declared("not-found", "failed-precondition", "already-exists", "form/incomplete"))
    .input(
      z.object({
        id: uuid.nullable().default(null),
        version: version.default(0),
        institution: institutionEntry,
        otherNames: z
          .array(text(programmeLimits.institution * 2))
          .max(100)
          .default([]),
      }),
    )
    .output(saved),

  joinInstitution: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/institutions/{id}/joins",
      summary: "Join an institution into another",
      description:
        "Its programmes move to the institution `into`, of the same country, which is then also known by its names.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ id: uuid, into: uuid }))
    .output(done),

  similarInstitutions: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/institutions/similar",
      summary: "Institutions that may be one",
      description:
        "Pairs of one country with the same name but for accents, signs and a leading “The”, or with the same website. At most 50.",
    })
    .errors(declared("deadline-exceeded"))
    .output(z.object({ pairs: z.array(z.object({ one: institution, other: institution })) })),

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
    .output(z.object({ programmes: z.array(listed), next: z.string().nullable() })),

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
      description: `Without \`id\` a new one. ${changed} \`already-exists\`: its source has another with this \`sourceId\`.`,
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

  markChecked: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/programmes/checks",
      summary: "Mark programmes as checked today",
      description: `Up to ${catalogueLimits.marked} at once. \`marked\` counts them: removed and unknown ones are left out.`,
    })
    .input(z.object({ ids: z.array(uuid).min(1).max(catalogueLimits.marked) }))
    .output(z.object({ marked: z.number().int() })),

  entries: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/entries",
      summary: "Export programmes",
      description:
        "Every programme in the catalogue, or of one `source`, as `putProgrammes` takes it: what is sent back changes nothing.",
    })
    .input(z.object({ source: text(programmeLimits.source).optional(), ...pageOf(exportedPerPage) }))
    .output(z.object({ programmes: z.array(programmeRow), next: z.string().nullable() })),

  putProgrammes: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/programmes",
      summary: "Add or change many programmes",
      description: `Up to ${catalogueLimits.rowsOfCall} at once, in a body of at most 128 KB. Each is known by \`source\` and \`sourceId\`, and has an outcome of its own: the others are stored though one is refused. What is sent again changes nothing.`,
    })
    .errors(declared("form/incomplete"))
    .input(z.object({ programmes: rowsOfCall }))
    .output(z.object({ rows: z.array(rowReport) })),

  imports: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/imports",
      summary: "The latest imports of files",
      description:
        "The newest 50. One without `finishedAt` is running, or was interrupted: the same file goes on.",
    })
    .output(z.object({ imports: z.array(importRow.meta({ title: "CatalogueImport" })) })),

  undoImport: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/imports/{id}/undo",
      summary: "Undo the latest import of a source",
      description:
        "Programmes get back what they had, and added ones leave the catalogue. Those that have changed since stay as they are: `left` lists them. `failed-precondition`: it isn't the latest of its source, is undone already, or another import runs.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id: uuid }))
    .output(
      z.object({
        restored: z.number().int(),
        removed: z.number().int(),
        left: z.array(z.object({ id: z.string(), title: z.string() })),
      }),
    ),

  addSamples: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/samples",
      summary: "Add sample programmes",
      description: "Twelve invented programmes, marked as samples. Those that are there stay as they are.",
    })
    .errors(declared("failed-precondition"))
    .output(z.object({ added: z.number().int() })),

  groups: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/nationality-groups",
      summary: "Groups of nationalities",
      description: "Groups that deadlines of their own are for.",
    })
    .output(z.object({ groups: z.array(group) })),

  saveGroup: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/nationality-groups",
      summary: "Add or change a group of nationalities",
      description: "Without `id` a new one. `already-exists`: another group has this name.",
    })
    .errors(declared("not-found", "already-exists", "resource-exhausted", "form/incomplete"))
    .input(
      z.object({
        id: uuid.nullable().default(null),
        name: text(catalogueLimits.groupName * 2),
        countries: z.array(text(2)).max(300),
      }),
    )
    .output(z.object({ id: z.string() })),

  removeGroup: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/nationality-groups/{id}",
      summary: "Remove a group of nationalities",
      description: "`failed-precondition`: a deadline is for it.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id: uuid }))
    .output(done),

  equivalences: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/grade-equivalences",
      summary: "What grades count as",
      description: "The consultancy's own table, with its sources. No other grade is ever converted.",
    })
    .output(z.object({ equivalences: z.array(equivalence.extend({ id: z.string() })) })),

  saveEquivalence: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/grade-equivalences",
      summary: "Add or change what a grade counts as",
      description: "Without `id` a new row.",
    })
    .errors(declared("not-found", "resource-exhausted", "form/incomplete"))
    .input(equivalence.extend({ id: uuid.nullable().default(null) }))
    .output(z.object({ id: z.string() })),

  removeEquivalence: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/grade-equivalences/{id}",
      summary: "Remove what a grade counts as",
      description: "`not-found`: there is no such row.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid }))
    .output(done),

  rates: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/exchange-rates",
      summary: "The newest exchange rates",
      description: "Of each currency the newest rate, by which tuition is shown in rand.",
    })
    .output(z.object({ rates: z.array(rate) })),

  enterRates: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/exchange-rates",
      summary: "Enter exchange rates",
      description: "A rate of the same currency and day is replaced. The lists follow at once.",
    })
    .errors(declared("form/incomplete"))
    .input(z.object({ rates: z.array(rate).min(1).max(catalogueLimits.rates) }))
    .output(done),

  agreements: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/agreements",
      summary: "Institutions that pay the consultancy",
      description: "A programme's page says so to students. The order of programmes never depends on it.",
    })
    .output(
      z.object({
        agreements: z.array(
          z.object({ institutionId: z.string(), name: z.string(), country }).meta({ title: "Agreement" }),
        ),
      }),
    ),

  setAgreement: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/agreements/{institutionId}",
      summary: "Say that an institution pays the consultancy",
      description: "Nothing happens if it is said already.",
    })
    .errors(declared("not-found"))
    .input(z.object({ institutionId: uuid }))
    .output(done),

  removeAgreement: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/agreements/{institutionId}",
      summary: "Say that an institution no longer pays the consultancy",
      description: "`not-found`: it was not said.",
    })
    .errors(declared("not-found"))
    .input(z.object({ institutionId: uuid }))
    .output(done),
};
