import { z } from "zod";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { requestDecisions, requestKinds, requestLimits } from "#domain/document-request.ts";
import { taskLimits, taskOwners, taskStates } from "#domain/task.ts";
import { done, formText, guarded, id, text } from "./base.ts";
import { deadlineForm } from "./deadline.ts";
import { linkModes } from "./documents.ts";
import { declared } from "./errors.ts";
import { dueThing, request, task, template, today } from "./planned-work.ts";

const version = z.number().int().min(1).max(2_147_483_647);

/** Requests, tasks and deadlines (docs/product.md, "Requests, tasks and deadlines"). */
export const planner = {
  /** For the student, the assigned agent and admins. `pausedUntil`: the last day without reminders, as YYYY-MM-DD. */
  ofStudent: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/students/{studentId}/plan",
      summary: "List a student's requests and tasks",
      description: "Returns open requests and tasks first, by deadline, and then the others, newest first.",
    })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(
      z.object({
        requests: z.array(request),
        tasks: z.array(task),
        pausedUntil: z.string().nullable(),
        timeZone: z.string(),
      }),
    ),

  askFor: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/students/{studentId}/requests",
      summary: "Request documents from a student",
      description:
        "Creates up to ten requests, which are sent in one email. If a request `blocks`, `applicationId` is required, and the application can't move forward until the request is accepted.",
    })
    .errors(declared("not-found", "form/incomplete", "resource-exhausted"))
    .input(
      z.object({
        studentId: id,
        applicationId: id.nullable().default(null),
        requests: z
          .array(
            z
              .object({
                kind: z.enum(requestKinds),
                name: formText,
                reason: formText,
                blocks: z.boolean().default(false),
                due: deadlineForm.nullable().default(null),
              })
              .meta({ title: "NewRequest" }),
          )
          .min(1)
          .max(requestLimits.perCall),
      }),
    )
    .output(z.object({ ids: z.array(z.string()) })),

  /** `version` is the request's when it was read. */
  changeRequest: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/requests/{requestId}",
      summary: "Change the deadline and the reason of a request, and whether it blocks",
      description: "`failed-precondition`: the request has changed in the meantime, or is closed.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        requestId: id,
        version,
        reason: formText,
        blocks: z.boolean(),
        due: deadlineForm.nullable(),
      }),
    )
    .output(done),

  decideRequest: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/requests/{requestId}/decisions",
      summary: "Accept what was sent, send it back, or cancel the request",
      description:
        "Sending back requires a `note`, which the student reads. A request for one of the six documents is accepted or sent back by the review of its document. If the student doesn't share papers with the agent, the agent can only cancel. `failed-precondition`: the request has changed in the meantime.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ requestId: id, version, decision: z.enum(requestDecisions), note: formText }))
    .output(done),

  /** Returns an address of a request's file, for 5 minutes and only this session. The audit log records each use. */
  requestLink: guarded({ who: "signedIn" })
    .errors(declared("not-found", "look/reason-required"))
    .input(z.object({ requestId: id, mode: z.enum(linkModes) }))
    .output(z.object({ url: z.string(), expiresAt: z.date() })),

  addTask: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/students/{studentId}/tasks",
      summary: "Add a task",
      description:
        "`owner` says whose task it is: the student's, the assigned agent's or, if you are an admin, yours.",
    })
    .errors(declared("not-found", "form/incomplete", "resource-exhausted"))
    .input(
      z.object({
        studentId: id,
        applicationId: id.nullable().default(null),
        title: formText,
        text: formText,
        owner: z.enum(taskOwners),
        due: deadlineForm.nullable().default(null),
      }),
    )
    .output(z.object({ id: z.string() })),

  changeTask: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/tasks/{taskId}",
      summary: "Change a task",
      description: "`failed-precondition`: the task has changed in the meantime, or is closed.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ taskId: id, version, title: formText, text: formText, due: deadlineForm.nullable() }))
    .output(done),

  /** Students can move only their own. */
  moveTask: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/tasks/{taskId}/moves",
      summary: "Finish, check, cancel or reopen a task",
      description:
        "Reopening requires a `note`. `failed-precondition`: the task has changed in the meantime, or you may not take this step.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ taskId: id, version, to: z.enum(taskStates), note: formText }))
    .output(done),

  templates: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/task-templates",
      summary: "List task templates",
      description: "Each new application copies the templates of its study level and countries.",
    })
    .output(z.object({ templates: z.array(template) })),

  addTemplate: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/task-templates",
      summary: "Add a task template",
      description:
        "The template applies to any study level if `studyLevel` is null, and to any country if `country` is null. `dueDays` counts from the submission of an application. Tasks that were copied before stay as they are.",
    })
    .errors(declared("form/incomplete", "resource-exhausted"))
    .input(
      z.object({
        title: formText,
        text: formText,
        owner: z.enum(["student", "agent"]),
        studyLevel: z.enum(studyLevels).nullable(),
        country: z.enum(studyCountries).nullable(),
        dueDays: z.number().int().min(0).max(taskLimits.dueDays).nullable(),
      }),
    )
    .output(z.object({ id: z.string() })),

  removeTemplate: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/task-templates/{templateId}",
      summary: "Remove a task template",
      description: "Tasks that were copied from the template stay.",
    })
    .errors(declared("not-found"))
    .input(z.object({ templateId: id }))
    .output(done),

  today: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/today",
      summary: "List what needs doing today",
      description:
        "Agents get entries about their own students, and admins about all students. Each list has the first few entries, or many with `all`. `total` counts all entries.",
    })
    .input(z.object({ all: z.boolean().default(false) }))
    .output(today),

  /** Everything that the student still has to do, by deadline. */
  mine: guarded({ who: "student", reads: true }).output(
    z.object({ things: z.array(dueThing), timeZone: z.string() }),
  ),

  /** `lastDay`: the last day without reminders, as YYYY-MM-DD; null resumes them. */
  pause: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/students/{studentId}/pause",
      summary: "Pause or resume a student's reminders",
      description: "`lastDay` is the last day without reminders, as YYYY-MM-DD; null resumes them.",
    })
    .errors(declared("not-found", "form/incomplete"))
    .input(z.object({ studentId: id, lastDay: text(10).nullable() }))
    .output(done),

  /** Mutes or unmutes the student's own reminders of one thing. Those of hard deadlines can't be muted. */
  mute: guarded({ who: "student" })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ thing: text(100), muted: z.boolean() }))
    .output(done),

  /** `timeZone` is null until the browser has named one. */
  settings: guarded({ who: "signedIn", reads: true }).output(
    z.object({ timeZone: z.string().nullable(), calendarMadeAt: z.date().nullable() }),
  ),

  /** `onlyFirst`: does nothing if there is one already, for a browser that sends its own zone. */
  setTimeZone: guarded({ who: "signedIn" })
    .errors(declared("form/incomplete"))
    .input(z.object({ timeZone: text(60), onlyFirst: z.boolean().default(false) }))
    .output(done),

  /** Creates a new secret address, which is shown only this once. The former one stops working. */
  makeCalendar: guarded({ who: "signedIn" }).output(z.object({ url: z.string() })),

  removeCalendar: guarded({ who: "signedIn" }).output(done),
};
