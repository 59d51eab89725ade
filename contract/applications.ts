import { z } from "zod";
import { roles } from "#domain/account.ts";
import { applicationStates, countryChoices, intakes, studyLevels } from "#domain/application.ts";
import { stepsPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, id, pageLimit, text, typed } from "./base.ts";
import { declared } from "./errors.ts";

const state = z.enum(applicationStates);

/** `note` came with the last step; `version` grows with every step. */
const application = z
  .object({
    id: z.string(),
    program: z.string(),
    highestStudyLevel: z.enum(studyLevels),
    /** ISO 3166-1 codes. */
    countries: z.array(z.string()),
    startDate: z.enum(intakes),
    additionalInfo: z.string(),
    state,
    note: z.string(),
    version: z.number().int(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ title: "Application" });
export type Application = z.infer<typeof application>;

/**
 * One step as everyone sees it who sees the application. `from` is null for the submission, `by` when that account is
 * gone.
 */
const timelineStep = z
  .object({
    id: z.number().int(),
    at: z.date(),
    from: state.nullable(),
    to: state,
    note: z.string(),
    by: z.object({ role: z.enum(roles), name: z.string() }).nullable(),
  })
  .meta({ title: "ApplicationStep" });
export type TimelineStep = z.infer<typeof timelineStep>;

/** The part in which the caller may move the applications; null if they may only look. */
const mover = z.enum(["student", "agent", "admin"]).nullable();

/** docs/product.md, "Applications". */
export const applications = {
  /** For students. fullName, email and phoneNumber are the account's. */
  submit: guarded({ who: "student" })
    .errors(declared("form/incomplete", "already-exists", "resource-exhausted"))
    .input(
      z.object({
        program: typed,
        highestStudyLevel: typed,
        country: z.array(text(60)).max(countryChoices.length).default([]),
        startDate: typed,
        additionalInfo: typed,
      }),
    )
    .output(application),

  /** The student's own, newest first. */
  mine: guarded({ who: "student", reads: true }).output(z.object({ applications: z.array(application) })),

  ofStudent: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/students/{studentId}/applications",
      summary: "A student's applications",
      description:
        "Newest first. A move names the `version` that is read here. `mover` says as whom you may move them; null means that you may not.",
    })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(z.object({ mover, applications: z.array(application) })),

  timeline: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/applications/{applicationId}/steps",
      summary: "The steps of an application",
      description: "Newest first, 50 at a time. `before` is the `next` of the page before.",
    })
    .errors(declared("not-found"))
    .input(
      z.object({
        applicationId: id,
        before: z.number().int().positive().optional(),
        limit: pageLimit(stepsPerPage),
      }),
    )
    .output(z.object({ steps: z.array(timelineStep), next: z.number().int().nullable() })),

  /**
   * Takes a step from the state that the caller saw, identified by `version`: `failed-precondition` when somebody moved it
   * in between, or when the step is not theirs to take from there. `already-exists`: it can't be reopened beside
   * another open one for the same programme and intake.
   */
  move: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/applications/{applicationId}/moves",
      summary: "Move an application to another state",
      description:
        "Takes a step from the state that you saw, named by its `version`. `failed-precondition`: somebody moved it in between, or the step isn't yours to take from there. `already-exists`: it can't be reopened beside another open one for the same programme and intake.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete", "already-exists"))
    .input(z.object({ applicationId: id, version: z.number().int(), to: state, note: typed }))
    .output(done),
};
