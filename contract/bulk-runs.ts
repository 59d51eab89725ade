import { z } from "zod";
import { applicationStates } from "#domain/application.ts";
import { bulkActs, bulkLimits, bulkOutcomes, bulkReasonNames } from "#domain/bulk-run.ts";
import { requestKinds } from "#domain/document-request.ts";
import { bulkItemsPerPage } from "#protocol/page-sizes.ts";
import { applicationNames } from "./applications.ts";
import { formText, guarded, id, pageLimit } from "./base.ts";
import { deadlineForm } from "./deadline.ts";
import { declared } from "./errors.ts";
import { studentView } from "./student-rows.ts";
import { handoverNote } from "./students.ts";

const state = z.enum(applicationStates);
const reason = z.enum(bulkReasonNames);

/**
 * An act on many students: prepared, running or finished. `waiting` counts the rows that are still to be done,
 * `reasons` those that were left out or failed. `text` is the message, the task's title or the requested paper, and
 * empty for other acts; `note` is the task's text, the reason of a request, or a note for the next agent. A message and
 * such a note are deleted once the act is finished and no row has failed. `due` is the deadline of a task or a request.
 * `takeBackUntil` is null if nothing can be taken back.
 */
const bulkRun = z
  .object({
    id: z.string(),
    act: z.enum(bulkActs),
    agent: z.object({ id: z.string(), name: z.string() }).nullable(),
    move: z.object({ from: state, to: state, note: z.string() }).nullable(),
    text: z.string(),
    note: z.string(),
    due: deadlineForm.nullable(),
    frozenAt: z.date(),
    startedAt: z.date().nullable(),
    finishedAt: z.date().nullable(),
    waiting: z.number().int(),
    done: z.number().int(),
    skipped: z.number().int(),
    failed: z.number().int(),
    reasons: z.array(z.object({ reason, rows: z.number().int() })),
    takeBackUntil: z.date().nullable(),
  })
  .meta({ title: "BulkRun" });
export type BulkRun = z.infer<typeof bulkRun>;

/** A row of a run. `student` is null if a file's row names none, and for `invited` people; `outcome` while it waits. */
const bulkItem = z
  .object({
    position: z.number().int(),
    student: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    invited: z.object({ name: z.string(), email: z.string() }).nullable(),
    application: z.object(applicationNames).nullable(),
    outcome: z.enum(bulkOutcomes).nullable(),
    reason: reason.nullable(),
  })
  .meta({ title: "BulkRunRow" });
export type BulkItem = z.infer<typeof bulkItem>;

const due = deadlineForm.nullable().default(null);
const studentIds = z.array(id).min(1).max(bulkLimits.students);

/**
 * One act on up to 200 students (docs/product.md, "Many students at once"): prepared first, which changes nothing and
 * returns what will be done, then started. Only the user who made a run sees it.
 */
export const bulkRuns = {
  /** The current students of a view, 200 at most. `isAll`: there are no more. */
  choose: guarded({ who: "staff", reads: true })
    .errors(declared("deadline-exceeded", "not-found"))
    .input(studentView)
    .output(
      z.object({
        students: z.array(z.object({ id: z.string(), name: z.string() })),
        isAll: z.boolean(),
      }),
    ),

  prepare: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/bulk-runs",
      summary: "Prepare an act on many students",
      description:
        "`assign` gives up to 200 students to an agent, or to nobody, with `note` as a staff note about each who has had an agent; `move` takes one step with their applications that are in the state `from`; `message` writes into each one's own conversation; `task` and `request` add one for each. Nothing is changed yet: the answer says how many rows will be done and why others won't. `not-found`: none of them is a student, or there is no such agent.",
    })
    .errors(declared("not-found", "form/incomplete"))
    .input(
      z.discriminatedUnion("act", [
        z.object({ act: z.literal("assign"), studentIds, agentId: id.nullable(), note: handoverNote }),
        z.object({ act: z.literal("move"), studentIds, from: state, to: state, note: formText }),
        z.object({ act: z.literal("message"), studentIds, text: formText }),
        z.object({ act: z.literal("task"), studentIds, title: formText, text: formText, due }),
        z.object({
          act: z.literal("request"),
          studentIds,
          kind: z.enum(requestKinds),
          name: formText,
          reason: formText,
          due,
        }),
      ]),
    )
    .output(bulkRun),

  start: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/bulk-runs/{id}/start",
      summary: "Start a prepared act",
      description:
        "Each row is done in a transaction of its own, as what you may do and as the row is at that moment. Sent again, the run goes on where it stands; no row is done twice. `failed-precondition`: it was prepared more than an hour ago.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id }))
    .output(bulkRun),

  takeBack: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/bulk-runs/{id}/take-backs",
      summary: "Take an assignment of many students back",
      description:
        "Within 10 minutes, for students with whom nothing has been done since. Answers the run that does it. `failed-precondition`: it is too late, or the act can't be taken back.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id }))
    .output(bulkRun),

  retry: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/bulk-runs/{id}/retries",
      summary: "Try the failed rows of an act again",
      description:
        "Rows that were left out stay so. The others are done as when the act was started, and their outcome is replaced. While the act is running, and when no row has failed, nothing is done. `failed-precondition`: it was not started, its students were given back or can't be any more, or its text is gone.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id }))
    .output(bulkRun),

  get: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/bulk-runs/{id}",
      summary: "An act on many students",
      description: "How far it is, and how its rows ended.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id }))
    .output(bulkRun),

  items: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/bulk-runs/{id}/rows",
      summary: "The rows of an act on many students",
      description: "In their order, 100 at a time. `after` is the `next` of the page before.",
    })
    .errors(declared("not-found"))
    .input(
      z.object({
        id,
        outcome: z.enum(bulkOutcomes).optional(),
        after: z.number().int().positive().optional(),
        limit: pageLimit(bulkItemsPerPage),
      }),
    )
    .output(z.object({ items: z.array(bulkItem), next: z.number().int().nullable() })),

  list: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/bulk-runs",
      summary: "Your acts on many students",
      description: "Those of the last 30 days that were started, the latest first, 50 at most.",
    })
    .output(z.object({ runs: z.array(bulkRun) })),
};
