import { z } from "zod";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { currencies } from "#domain/currency.ts";
import { englishTests } from "#domain/english-test.ts";
import {
  feeAudiences,
  feeKinds,
  feePeriods,
  intakeDeadlineKinds,
  intakeStates,
  type ProgrammeEntry,
  programmeLimits,
  studyFields,
  studyModes,
  teachingLanguages,
} from "#domain/programme.ts";
import { awards, gradeScaleNames } from "#domain/qualification.ts";
import { requirementLimits } from "#domain/requirement.ts";
import { text } from "./base.ts";

const day = text(10).meta({ description: "A day as YYYY-MM-DD." });
const grade = text(40);

/** Scores of the parts of a test by name; `componentsProblem` (domain) checks them. */
export const componentScores = z.record(text(20), z.number());

/** A requirement of a programme. `requirementProblem` (domain) checks it. */
export const requirement = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("qualification"),
      country: text(2).nullable(),
      award: z.enum(awards),
      scale: z.enum(gradeScaleNames),
      grade: grade.nullable(),
    }),
    z.object({
      kind: z.literal("english"),
      test: z.enum(englishTests),
      overall: z.number(),
      components: componentScores,
      years: z.number().int(),
    }),
    z.object({
      kind: z.literal("subject"),
      subject: text(requirementLimits.subject),
      scale: z.enum(gradeScaleNames),
      grade: grade.nullable(),
    }),
    z.object({
      kind: z.literal("subjects"),
      least: z.number().int(),
      scale: z.enum(gradeScaleNames),
      grade,
    }),
    z.object({
      kind: z.literal("age"),
      least: z.number().int().nullable(),
      most: z.number().int().nullable(),
    }),
    z.object({ kind: z.literal("gap"), mostYears: z.number().int() }),
    z.object({
      kind: z.literal("work"),
      leastMonths: z.number().int(),
      field: text(requirementLimits.subject),
    }),
    z.object({ kind: z.literal("text"), text: text(requirementLimits.text) }),
  ])
  .meta({ title: "Requirement" });

/** A fee as it is published, in the smallest unit of its currency. */
export const fee = z
  .object({
    kind: z.enum(feeKinds),
    amount: z
      .number()
      .int()
      .meta({ description: "Amount in the currency's smallest unit, such as pence, cents or yen." }),
    currency: z.enum(currencies),
    per: z.enum(feePeriods),
    academicYear: z
      .number()
      .int()
      .meta({ description: "Year in which the academic year begins: 2026 stands for 2026/27." }),
    audience: z.enum(feeAudiences),
  })
  .meta({ title: "Fee" });

export const intakeDeadline = z
  .object({
    kind: z.enum(intakeDeadlineKinds),
    group: text(80)
      .nullable()
      .meta({ description: "Group of nationalities that the deadline is for; null for everyone else." }),
    date: day,
    time: text(5)
      .nullable()
      .meta({ description: "Local time at the institution, as HH:MM; null for the end of the day." }),
    hard: z.boolean(),
  })
  .meta({ title: "IntakeDeadline" });

export const intakeFacts = {
  year: z.number().int(),
  month: z.number().int().meta({ description: "Month, from 1 to 12." }),
  state: z.enum(intakeStates),
};

/** A start of a programme with its deadlines. */
export const intakeEntry = z.object({ ...intakeFacts, deadlines: z.array(intakeDeadline).max(100) });

/** The facts of a programme that are neither intakes, fees nor requirements. */
export const programmeFacts = {
  title: text(programmeLimits.title * 2),
  level: z.enum(studyLevels),
  field: z.enum(studyFields),
  award: text(programmeLimits.award * 2),
  months: z.number().int().nullable(),
  mode: z.enum(studyModes),
  language: z.enum(teachingLanguages),
  url: text(programmeLimits.url),
  checkedOn: day,
  source: text(programmeLimits.source * 2),
  sample: z.boolean(),
};

/** A programme as forms, imports and exports exchange it (domain/programme.ts). `checkProgramme` checks it. */
export const programmeEntry = z
  .object({
    ...programmeFacts,
    sourceId: text(programmeLimits.sourceId * 2).nullable(),
    intakes: z.array(intakeEntry).max(programmeLimits.intakes * 2),
    fees: z.array(fee).max(programmeLimits.fees * 2),
    requirementSets: z
      .array(z.array(requirement).max(requirementLimits.perSet * 2))
      .max(requirementLimits.sets * 2),
  })
  .meta({ title: "ProgrammeEntry" }) satisfies z.ZodType<ProgrammeEntry>;

export const institutionEntry = z
  .object({
    name: text(programmeLimits.institution * 2),
    country: z.enum(studyCountries),
    place: text(programmeLimits.place * 2),
    zone: text(60),
    website: text(programmeLimits.url),
  })
  .meta({ title: "InstitutionEntry" });
