import { z } from "zod";
import { roles } from "#domain/account.ts";
import { applicationStates, countryChoices, intakes, studyLevels } from "#domain/application.ts";
import { confirmationStates } from "#domain/confirmation.ts";
import { requestKinds } from "#domain/document-request.ts";
import { stepsPerPage } from "#protocol/page-sizes.ts";
import { done, formText, guarded, id, pageLimit, text } from "./base.ts";
import { enteredBy } from "./entered-by.ts";
import { declared } from "./errors.ts";

const state = z.enum(applicationStates);

/** The fields by which a student's applications differ. `university` is empty, and `year` null, if not given. */
export const applicationNames = {
  program: z.string(),
  university: z.string(),
  startDate: z.enum(intakes),
  /** The year in which the intake begins. */
  year: z.number().int().nullable(),
};

/**
 * `note` is of the last step; `version` grows with every step. `programme` is of the catalogue, and `intakeId` is one
 * of its intakes; both are null for an application that was entered by hand.
 */
const application = z
  .object({
    id: z.string(),
    ...applicationNames,
    programme: z.object({ id: z.string(), slug: z.string() }).meta({ title: "ProgrammeName" }).nullable(),
    intakeId: z.string().nullable(),
    highestStudyLevel: z.enum(studyLevels),
    /** ISO 3166-1 codes. */
    countries: z.array(z.string()),
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
 * One step, as everyone who sees the application sees it. `from` is null for the submission, `by` once that account is
 * deleted.
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

/**
 * A document is one of the six, or `other`: a paper sent on request, with its `name`. `enteredBy` uploaded it on the
 * student's behalf, and is null for the student. `version` is the hash of its bytes, or its id if it has no hash.
 * `confirmedAt` is null for a list that an admin sent without the student's confirmation.
 */
const confirmation = z
  .object({
    state: z.enum(confirmationStates),
    hash: z.string(),
    list: z
      .object({
        ...applicationNames,
        documents: z.array(
          z
            .object({
              kind: z.enum(requestKinds),
              name: z.string(),
              id: z.string(),
              version: z.string(),
              enteredBy: enteredBy.nullable(),
            })
            .meta({ title: "ListedDocument" }),
        ),
      })
      .meta({ title: "FrozenList" }),
    askedAt: z.date().nullable(),
    confirmedAt: z.date().nullable(),
    sentAt: z.date().nullable(),
  })
  .meta({ title: "Confirmation" });
export type Confirmation = z.infer<typeof confirmation>;

/** The role in which the caller may move the applications; null if they may only read them. */
const mover = z.enum(["student", "agent", "admin"]).nullable();

/** docs/product.md, "Applications". */
export const applications = {
  /**
   * For students. Name, email address and phone number are the account's. `programmeId` and `intakeId`: the programme
   * of the catalogue from which the form was filled in. The application keeps those that its texts still match.
   */
  submit: guarded({ who: "student" })
    .errors(declared("not-found", "form/incomplete", "already-exists", "resource-exhausted"))
    .input(
      z.object({
        program: formText,
        highestStudyLevel: formText,
        country: z.array(text(60)).max(countryChoices.length).default([]),
        startDate: formText,
        additionalInfo: formText,
        university: formText,
        year: formText,
        programmeId: z.uuid().toLowerCase().optional(),
        intakeId: z.uuid().toLowerCase().optional(),
      }),
    )
    .output(application),

  /** The student's own applications, newest first. */
  mine: guarded({ who: "student", reads: true }).output(z.object({ applications: z.array(application) })),

  ofStudent: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/students/{studentId}/applications",
      summary: "List a student's applications",
      description:
        "Returns applications, newest first. To move an application, send the `version` that you read here. `mover` is the role in which you may move the applications, or null if you may not.",
    })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(z.object({ mover, applications: z.array(application) })),

  /** `endedFrom`: the state from which a rejected, withdrawn or deferred one was ended; null for all others. */
  read: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/applications/{applicationId}",
      summary: "Get an application",
      description:
        "Returns the application and its student. `mover` is the role in which you may move the application, or null if you may not. `endedFrom` is the state from which it was rejected, withdrawn or deferred, and null for all other applications.",
    })
    .errors(declared("not-found"))
    .input(z.object({ applicationId: id }))
    .output(
      z.object({
        mover,
        student: z.object({ id: z.string(), name: z.string() }).meta({ title: "Person" }),
        application,
        endedFrom: state.nullable(),
      }),
    ),

  timeline: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/applications/{applicationId}/steps",
      summary: "List the steps of an application",
      description:
        "Returns steps, newest first, 50 per page. For the next page, set `before` to the `next` of the previous page.",
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
   * Takes a step from the state that the caller saw, identified by `version`. `failed-precondition`: it was moved in
   * between, or the caller may not take the step from there. `already-exists`: it can't be reopened beside another open
   * one for the same programme, intake, year and university. `application/unconfirmed`: an agent can't send it to the
   * university before the student has confirmed the list; an admin can, and says why in the note.
   */
  move: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/applications/{applicationId}/moves",
      summary: "Move an application to another state",
      description:
        "Takes a step from the state that you saw, identified by its `version`. `failed-precondition`: the application was moved in the meantime, or you may not take this step from its state. `already-exists`: the application can't be reopened while another one is open for the same programme, intake, year and university. `application/unconfirmed`: the application can't be sent to the university before the student has confirmed what is sent; an admin can proceed with a `note` that gives the reason.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete", "already-exists"))
    .errors(declared("application/unconfirmed"))
    .input(z.object({ applicationId: id, version: z.number().int(), to: state, note: formText }))
    .output(done),

  /**
   * The progress of the student's confirmation of what is sent, for the student and those who move the application.
   * `hash` is of the current list; `outdated`: it has changed since the student was asked or confirmed.
   */
  confirmation: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/applications/{applicationId}/confirmation",
      summary: "Get what will be or was sent to the university, and its confirmation",
      description:
        "`list` has the programme, university, intake, year and the current version of each document that has not been rejected: the six documents, and the papers accepted on request, as `other` with their `name`. `state` is `none` before the student is asked, then `asked`, and `confirmed` once the student has confirmed the list. It is `outdated` after the list has changed; the student can confirm the new list without being asked again. Once the application is `sent`, `list` is the one that was sent to the university.",
    })
    .errors(declared("not-found"))
    .input(z.object({ applicationId: id }))
    .output(confirmation),

  /** Asks the student to confirm the current list. `failed-precondition`: the application isn't about to be sent. */
  askConfirmation: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/applications/{applicationId}/confirmation-requests",
      summary: "Ask the student to confirm what will be sent",
      description:
        "Freezes the current list and asks the student to confirm it. Asking again about the same list has no effect. `failed-precondition`: the application can't be sent to the university from its current state.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ applicationId: id }))
    .output(done),

  /**
   * Confirms the list with this hash. `failed-precondition`: it has changed, or no confirmation was requested for this
   * application. `account/mailbox-code`: the session has proved neither a second factor nor the mailbox
   * (`signInMethods.proveMailbox`).
   */
  confirmList: guarded({ who: "student" })
    .errors(
      declared("not-found", "failed-precondition", "auth/requires-recent-login", "account/mailbox-code"),
    )
    .input(z.object({ applicationId: id, hash: text(64) }))
    .output(done),
};
