import { z } from "zod";
import { englishTests } from "#domain/english-test.ts";
import { awards, gradeScaleNames } from "#domain/qualification.ts";
import { recordLimits } from "#domain/study-record.ts";
import { done, guarded, id, text, uuid } from "./base.ts";
import { enteredBy } from "./entered-by.ts";
import { declared } from "./errors.ts";
import { componentScores } from "./programme-entry.ts";

const owner = { studentId: id.optional() };

const qualificationForm = z.object({
  country: text(2),
  award: z.enum(awards),
  name: text(recordLimits.name * 2),
  scale: z.enum(gradeScaleNames),
  grade: text(40),
  year: z.number().int(),
  subjects: z
    .array(
      z.object({ subject: text(recordLimits.name * 2), grade: text(40) }).meta({ title: "SubjectGrade" }),
    )
    .max(recordLimits.subjects * 2),
});
const testForm = z.object({
  test: z.enum(englishTests),
  takenOn: text(10),
  overall: z.number(),
  components: componentScores,
});

const qualification = qualificationForm
  .extend({ id: z.string(), enteredBy: enteredBy.nullable() })
  .meta({ title: "Qualification" });
/** `expires`: the last start for which programmes with the usual two years accept it. */
const testResult = testForm
  .extend({ id: z.string(), expires: z.string(), enteredBy: enteredBy.nullable() })
  .meta({ title: "TestResult" });

/**
 * The qualifications and tests of a student (docs/product.md, "My record"), with which programmes are compared. Without
 * `studentId` it is the caller's own; the assigned agent acts on behalf of the student.
 */
export const studyRecord = {
  read: guarded({ who: "studentOrStaff" })
    .route({
      method: "GET",
      path: "/record",
      summary: "A student's qualifications and tests",
      description:
        "Name the student in `studentId`. Each look at another person's record is in the audit log, and an admin gives a reason first.",
    })
    .errors(declared("not-found", "look/reason-required"))
    .input(z.object(owner))
    .output(
      z.object({
        workMonths: z.number().int().nullable(),
        qualifications: z.array(qualification),
        tests: z.array(testResult),
      }),
    ),
  saveQualification: guarded({ who: "studentOrStaff" })
    .route({
      method: "PUT",
      path: "/record/qualifications",
      summary: "Add or change a qualification",
      description: "Names the qualification in `id` to change it; without it, one is added.",
    })
    .errors(declared("not-found", "form/incomplete", "resource-exhausted"))
    .input(qualificationForm.extend({ id: uuid.optional(), ...owner }))
    .output(z.object({ id: z.string() })),
  saveTest: guarded({ who: "studentOrStaff" })
    .route({
      method: "PUT",
      path: "/record/tests",
      summary: "Add or change a test result",
      description: "Names the result in `id` to change it; without it, one is added.",
    })
    .errors(declared("not-found", "form/incomplete", "resource-exhausted"))
    .input(testForm.extend({ id: uuid.optional(), ...owner }))
    .output(z.object({ id: z.string() })),
  saveWork: guarded({ who: "studentOrStaff" })
    .route({
      method: "PUT",
      path: "/record/work",
      summary: "Say how long a student has worked",
      description:
        "`workMonths` is a whole number of months, or null for not known. Name the student in `studentId`.",
    })
    .errors(declared("not-found", "form/incomplete"))
    .input(z.object({ workMonths: z.number().int().nullable(), ...owner }))
    .output(done),
  remove: guarded({ who: "studentOrStaff" })
    .route({
      method: "DELETE",
      path: "/record/entries/{id}",
      summary: "Remove a qualification or a test result",
      description: "Takes the id of the qualification or the test result. Name the student in `studentId`.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid, ...owner }))
    .output(done),
};
