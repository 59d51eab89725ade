import { z } from "zod";
import { applicationStates, intakes, studyCountries } from "#domain/application.ts";
import { isCountry } from "#domain/country.ts";
import { currencies } from "#domain/currency.ts";
import { documentKinds, documentStates } from "#domain/document.ts";
import { fitOutcomes } from "#domain/student-fit.ts";
import {
  depositSituationNames,
  documentSituationNames,
  sortDirections,
  studentFilters,
  studentSearchLimit,
  studentSituationNames,
  studentSorts,
  waitingNames,
} from "#domain/student-list.ts";
import { applicationNames } from "./applications.ts";
import { id, person, text } from "./base.ts";

export const agentChoice = person.extend({ agency: z.string() }).meta({ title: "AssignableAgent" });
export type AgentChoice = z.infer<typeof agentChoice>;

export const progress = z
  .object({ profile: z.number(), documents: z.number(), overall: z.number() })
  .meta({ title: "Progress" });
/** The number of the six documents that count as uploaded, and of those that are not reviewed yet. */
const documents = z.object({ uploaded: z.number(), toReview: z.number() });

/**
 * A row of Manage Students, without identity details. `erasedOn` is the day on which the account of a student who asked
 * for that is erased; null for most. `fit` is only in a list with the filter `fits`; its `reason` is the one gap.
 * `deposit` is the unpaid one that is due first, for those responsible for the student; null otherwise.
 */
export const studentRow = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    country: z.string(),
    disabled: z.boolean(),
    erasedOn: z.date().nullable(),
    agent: person.nullable(),
    progress,
    documents,
    /** Those that match the filters first, then the latest. */
    applications: z.array(z.object({ ...applicationNames, state: z.enum(applicationStates) })),
    deposit: z.object({ amount: z.number().int(), currency: z.enum(currencies), due: z.string() }).nullable(),
    fit: z.object({ outcome: z.enum(fitOutcomes), reason: z.string() }).optional(),
  })
  .meta({ title: "Student" });
export type StudentRow = z.infer<typeof studentRow>;

/**
 * The outcomes for a programme of all students who match the other filters, and whose papers the caller may see.
 * `noRecord`: they have entered nothing. `more`: there are more records than are compared.
 */
export const fitsOfList = z
  .object({
    programme: z.object({ slug: z.string(), title: z.string(), start: z.string() }),
    counts: z.object({
      mayEnter: z.number().int(),
      gap: z.number().int(),
      notKnown: z.number().int(),
      no: z.number().int(),
      noRecord: z.number().int(),
    }),
    more: z.boolean(),
  })
  .meta({ title: "StudentFits" });
export type FitsOfList = z.infer<typeof fitsOfList>;

/** One of the six slots; `state` is null if nothing is uploaded. */
export const slot = z.object({ kind: z.enum(documentKinds), state: z.enum(documentStates).nullable() });

/**
 * The expanded row: percentages, and for each of the six slots its document's state or null. `sharingStoppedAt`: when
 * the student stopped sharing with the agent, only for that agent and admins; null otherwise.
 */
export const studentDetails = z
  .object({
    id: z.string(),
    agent: agentChoice.nullable(),
    progress,
    documents: z.array(slot),
    shortlistItems: z.number(),
    applications: z.number(),
    sharingStoppedAt: z.date().nullable(),
  })
  .meta({ title: "StudentDetails" });
export type StudentDetails = z.infer<typeof studentDetails>;

export const search = text(studentSearchLimit).default("");

/**
 * Keeps students whose records meet all requirements of a programme, or all but one, among those whose papers the
 * caller may see.
 */
const fits = z.object({
  programmeId: z.uuid().toLowerCase(),
  /** An intake of the programme, by default the next one. */
  intakeId: z.uuid().toLowerCase().optional(),
  outcome: z.enum(fitOutcomes).optional(),
});

/** Filters and order of a list of students. All filters must match, those about an application the same one. */
export const studentView = z.object({
  search,
  filter: z.enum(studentFilters).default("all"),
  situation: z.enum(studentSituationNames).optional(),
  /** Among the caller's own students, and for admins among all. */
  waiting: z.enum(waitingNames).optional(),
  /** The deposit of an application, among the caller's own students, and for admins among all. */
  deposit: z.enum(depositSituationNames).optional(),
  intake: z.enum(intakes).optional(),
  year: z
    .string()
    .regex(/^20\d\d$/)
    .optional(),
  /** The country of study that an application names, as an ISO 3166-1 code. */
  destination: z.enum(studyCountries).optional(),
  documents: z.enum(documentSituationNames).optional(),
  /** The country that the student lives in. */
  country: text(2).refine(isCountry, { error: "An ISO 3166-1 code such as NG." }).optional(),
  agentId: id.optional(),
  fits: fits.optional(),
  sort: z.enum(studentSorts).default("name"),
  direction: z.enum(sortDirections).default("ascending"),
});
export type StudentView = z.infer<typeof studentView>;
