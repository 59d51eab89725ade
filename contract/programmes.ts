import { z } from "zod";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { currencies } from "#domain/currency.ts";
import { outcomes } from "#domain/outcome.ts";
import {
  feePeriods,
  programmeLimits,
  studyFields,
  studyModes,
  teachingLanguages,
} from "#domain/programme.ts";
import { programmeSorts } from "#domain/programme-list.ts";
import { programmesPerPage } from "#protocol/page-sizes.ts";
import { cents, guarded, id, open, pageOf, text, uuid } from "./base.ts";
import { declared } from "./errors.ts";
import { fee, intakeDeadline, intakeFacts, programmeFacts, requirement } from "./programme-entry.ts";

const slug = text(200).min(1);
const day = z.string();

const institution = z
  .object({ id: z.string(), name: z.string(), country: z.enum(studyCountries), place: z.string() })
  .meta({ title: "Institution" });

/**
 * A programme as lists show it. `nextIntake` is the one that the list is filtered by, or else the first that takes
 * applications now or later; null without one. `aboutRand` is a year's tuition in cents of rand by the newest rate, or
 * null without one.
 */
const programmeCard = z
  .object({
    id: z.string(),
    slug: z.string(),
    institution,
    title: z.string(),
    level: z.enum(studyLevels),
    field: z.enum(studyFields),
    award: z.string(),
    months: z.number().int().nullable(),
    mode: z.enum(studyModes),
    language: z.enum(teachingLanguages),
    /** A year's tuition, or else that for the whole programme, which sorting and filters ignore. */
    tuition: z
      .object({ amount: z.number().int(), currency: z.enum(currencies), per: z.enum(feePeriods) })
      .nullable(),
    aboutRand: cents.nullable(),
    nextIntake: z.object({ year: z.number().int(), month: z.number().int() }).nullable(),
    /**
     * The moment and zone of that intake's apply-by deadline: the student's own, or else everyone's. It may be over
     * while other groups can still apply. Nothing is accepted after a hard one.
     */
    applyBy: z.object({ at: z.date(), zone: z.string(), hard: z.boolean() }).nullable(),
    /** Whether some groups of nationalities have another apply-by deadline than this one. */
    applyByVaries: z.boolean(),
    checkedOn: day,
    sample: z.boolean(),
  })
  .meta({ title: "Programme" });
export type ProgrammeCard = z.infer<typeof programmeCard>;

/** Words and filters of a search. `intake` is YYYY-MM; `feeUpTo` is cents of rand a year, by the newest rates. */
const filters = {
  search: text(200).default(""),
  country: z.enum(studyCountries).optional(),
  level: z.enum(studyLevels).optional(),
  field: z.enum(studyFields).optional(),
  language: z.enum(teachingLanguages).optional(),
  mode: z.enum(studyModes).optional(),
  intake: text(7)
    .regex(/^20\d{2}-(0[1-9]|1[0-2])$/)
    .optional(),
  feeUpTo: cents.min(0).optional(),
};
const programmeQuery = z.object({ ...filters, sort: z.enum(programmeSorts).optional() });
export type ProgrammeQuestion = z.infer<typeof programmeQuery>;

const counts = z.record(z.string(), z.number().int());
/** The number of programmes that each choice of a filter would leave, with the other filters as they are. */
const programmeCounts = z
  .object({
    total: z.number().int(),
    country: counts,
    level: counts,
    field: counts,
    language: counts,
    mode: counts,
    /** Coming intakes as YYYY-MM. */
    intake: counts,
    /** Programmes among the results whose tuition in rand is not known; 0 without `feeUpTo`. */
    unknownFee: z.number().int(),
    /** If there are no results: how many there would be without one of the filters, or without the words (`search`). */
    without: counts,
  })
  .meta({ title: "ProgrammeCounts" });
export type ProgrammeCounts = z.infer<typeof programmeCounts>;

const shortfall = z.object({ what: z.string(), has: z.string(), asked: z.string() });
const answer = z
  .discriminatedUnion("kind", [
    /** `why`: the consultancy's table by which a grade of another scale counts. */
    z.object({ kind: z.literal("met"), why: z.string().optional() }),
    z.object({ kind: z.literal("missing"), shortfalls: z.array(shortfall), final: z.boolean() }),
    z.object({ kind: z.literal("notKnown"), enter: z.string() }),
    z.object({ kind: z.literal("needsPerson"), why: z.string() }),
  ])
  .meta({ title: "RequirementAnswer" });

/** A programme's page: everything that is public about it. `removed`: it is no longer in the catalogue. */
const programmePage = z
  .object({
    id: z.string(),
    slug: z.string(),
    removed: z.boolean(),
    institution: institution.extend({ zone: z.string(), website: z.string() }),
    ...programmeFacts,
    judgedFor: day,
    /** The newest rate of each currency of the fees, with its day: how much of the currency one rand is worth. */
    rates: z.array(z.object({ currency: z.enum(currencies), day, perRand: z.string() })),
    /** The first intake that takes applications now or later. */
    nextIntakeId: z.string().nullable(),
    intakes: z.array(
      z.object({
        id: z.string(),
        ...intakeFacts,
        deadlines: z.array(intakeDeadline.extend({ at: z.date() })),
      }),
    ),
    fees: z.array(fee),
    requirementSets: z.array(z.array(requirement)),
  })
  .meta({ title: "ProgrammePage" });
export type ProgrammePage = z.infer<typeof programmePage>;

/** The catalogue of programmes, which is public (docs/product.md, "Programmes"). */
export const programmes = {
  list: open
    .route({
      method: "GET",
      path: "/programmes",
      summary: "List programmes",
      description:
        "Returns the programmes that match the words and filters, in the order of `sort`, which is `title` by default. Programmes that have not been checked for 18 months come below the others. `feeUpTo` also keeps programmes whose tuition in rand is not known. If nothing matches, `corrected` is the search that was run instead.",
    })
    .errors(declared("deadline-exceeded"))
    .input(programmeQuery.extend(pageOf(programmesPerPage)))
    .output(
      z.object({
        programmes: z.array(programmeCard),
        next: z.string().nullable(),
        corrected: z.string().nullable(),
      }),
    ),

  counts: open
    .route({
      method: "GET",
      path: "/programmes/counts",
      summary: "Count programmes by filter",
      description:
        "Returns the number of programmes that each choice of a filter would leave, with the other filters as they are.",
    })
    .errors(declared("deadline-exceeded"))
    .input(z.object(filters))
    .output(programmeCounts),

  read: open
    .route({
      method: "GET",
      path: "/programmes/{slug}",
      summary: "Get a programme",
      description:
        "Returns everything that is public about the programme: facts, intakes with deadlines, fees as published, and requirements. The slug of a programme that was merged into another returns the one that stays.",
    })
    .errors(declared("not-found"))
    .input(z.object({ slug }))
    .output(programmePage),

  /**
   * Reads up to four programmes for a comparison, in the order of the input, each once even if the input also has slugs
   * of programmes that were joined into it. `missing` counts the unknown slugs.
   */
  compare: open
    .route({ method: "GET" })
    .input(z.object({ slugs: z.array(slug).max(programmeLimits.compared) }))
    .output(z.object({ programmes: z.array(programmePage), missing: z.number().int() })),

  /**
   * Lists programmes with their outcomes for a student's record: without `studentId` the caller's own. `gaps` sorts by
   * outcome, then by title, with programmes that have not been checked for 18 months last. `outcomes` counts all that
   * match the other filters.
   */
  forStudent: guarded({ who: "studentOrStaff", reads: true })
    .route({
      method: "GET",
      path: "/programmes/for-student",
      summary: "List programmes with their outcomes for a student",
      description:
        "Returns the same list as `GET /programmes`, with the outcome of each programme for the student's record. `studentId` names the student. By default, the best outcomes come first. `outcome` keeps the programmes of one outcome; `outcomes` counts the programmes of each. If nothing matches, `corrected` is the search that was run instead. `look/reason-required`: an admin must first give a reason on Wayfare's own pages, in the same session, which an API key can't do.",
    })
    .errors(declared("not-found", "deadline-exceeded", "look/reason-required"))
    .input(
      z.object({
        ...filters,
        studentId: id.optional(),
        outcome: z.enum(outcomes).optional(),
        sort: z.enum([...programmeSorts, "gaps"]).optional(),
        ...pageOf(programmesPerPage),
      }),
    )
    .output(
      z.object({
        programmes: z.array(
          programmeCard
            .extend({
              outcome: z.enum(outcomes),
              /** The one gap, or the first fact to enter or text to read, in words; empty if there is none. */
              reason: z.string(),
            })
            .meta({ title: "ProgrammeOfStudent" }),
        ),
        next: z.string().nullable(),
        corrected: z.string().nullable(),
        outcomes: z.record(z.enum(outcomes), z.number().int()),
      }),
    ),

  /** Compares a student's record with a programme: without `studentId` the caller's own. */
  answers: guarded({ who: "studentOrStaff", reads: true })
    .route({
      method: "GET",
      path: "/programmes/{programmeId}/answers",
      summary: "Compare a student's record with a programme",
      description:
        "Returns one answer for each requirement of each set, in their order. `studentId` names the student. `intakeId` optionally names an intake; by default, the next one counts. `look/reason-required`: an admin must first give a reason on Wayfare's own pages, in the same session, which an API key can't do.",
    })
    .errors(declared("not-found", "look/reason-required"))
    .input(z.object({ programmeId: uuid, studentId: id.optional(), intakeId: uuid.optional() }))
    .output(
      z.object({
        judgedFor: day,
        outcome: z.enum(outcomes),
        sets: z.array(
          z.object({ outcome: z.enum(outcomes), answers: z.array(answer) }).meta({ title: "AnsweredSet" }),
        ),
        /** The nationality groups of the student, whose deadlines apply to them. */
        groups: z.array(z.string()),
        /** Whether the institution pays the consultancy if the student enrols. No order of programmes depends on it. */
        agreement: z.boolean(),
      }),
    ),

  institutions: open
    .route({ method: "GET" })
    .errors(declared("deadline-exceeded"))
    .input(z.object({ search: text(120), country: z.enum(studyCountries).optional() }))
    .output(z.object({ names: z.array(z.string()) })),
};
