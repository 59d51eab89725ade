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
      summary: "Get a student's qualifications and test results",
      description:
        "`studentId` names the student. If the record is another person's, the audit log records that you have looked at it, at most once in 30 minutes. `look/reason-required`: an admin must first give a reason on Wayfare's own pages, in the same session, which an API key can't do.",
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
      description:
        "Changes the qualification with `id`, or adds one if `id` is omitted. `studentId` names the student. `not-found`: you are neither the student nor the assigned agent with whom the student shares their papers, or there is no such qualification.",
    })
    .errors(declared("not-found", "form/incomplete", "resource-exhausted"))
    .input(qualificationForm.extend({ id: uuid.optional(), ...owner }))
    .output(z.object({ id: z.string() })),
  saveTest: guarded({ who: "studentOrStaff" })
    .route({
      method: "PUT",
      path: "/record/tests",
      summary: "Add or change a test result",
      description:
        "Changes the test result with `id`, or adds one if `id` is omitted. `studentId` names the student. `not-found`: you are neither the student nor the assigned agent with whom the student shares their papers, or there is no such test result.",
    })
    .errors(declared("not-found", "form/incomplete", "resource-exhausted"))
    .input(testForm.extend({ id: uuid.optional(), ...owner }))
    .output(z.object({ id: z.string() })),
  saveWork: guarded({ who: "studentOrStaff" })
    .route({
      method: "PUT",
      path: "/record/work",
      summary: "Set how long a student has worked",
      description:
        "`workMonths` is a whole number of months, or null if it is not known. `studentId` names the student. `not-found`: you are neither the student nor the assigned agent with whom the student shares their papers.",
    })
    .errors(declared("not-found", "form/incomplete"))
    .input(z.object({ workMonths: z.number().int().nullable(), ...owner }))
    .output(done),
  remove: guarded({ who: "studentOrStaff" })
    .route({
      method: "DELETE",
      path: "/record/entries/{id}",
      summary: "Remove a qualification or a test result",
      description:
        "`id` is the id of the qualification or the test result. `studentId` names the student. `not-found`: you are neither the student nor the assigned agent with whom the student shares their papers, or there is no such entry.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid, ...owner }))
    .output(done),
};
