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
      summary: "Prepare a bulk run",
      description:
        "A bulk run carries out one act for up to 200 students. `assign` assigns them to an agent, or to nobody, with `note` as a staff note about each student who has had an agent. `move` takes one step with those of their applications that are in the state `from`. `message` writes to each student in that student's own conversation. `task` and `request` add a task or a request for each student. Nothing is changed yet: the response says how many rows will be done, and why the others won't. `not-found`: none of the ids is a student's, or there is no such agent.",
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
      summary: "Start a prepared bulk run",
      description:
        "Each row is done in a separate transaction, and only if your permissions and the state of the row allow it at that moment. If you send the call again, the run continues where it stopped, and no row is done twice. `failed-precondition`: the run was prepared more than an hour ago.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id }))
    .output(bulkRun),

  takeBack: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/bulk-runs/{id}/take-backs",
      summary: "Undo an assignment of many students",
      description:
        "Gives the students back within 10 minutes, except those for whom something has been done since. Returns the run that does it. `failed-precondition`: it is too late, or the run can't be undone.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id }))
    .output(bulkRun),

  retry: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/bulk-runs/{id}/retries",
      summary: "Retry the failed rows of a bulk run",
      description:
        "The failed rows are carried out again in the same way, and their outcomes are replaced. Rows that were left out stay left out. The call has no effect while the run is running, or if no row has failed. `failed-precondition`: the run was not started, its students were given back or can no longer be given back, or its text is no longer stored.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id }))
    .output(bulkRun),

  get: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/bulk-runs/{id}",
      summary: "Get a bulk run",
      description: "Returns the progress of the run, and the number of its rows by outcome.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id }))
    .output(bulkRun),

  items: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/bulk-runs/{id}/rows",
      summary: "List the rows of a bulk run",
      description:
        "Returns rows in their order, 100 per page. For the next page, set `after` to the `next` of the previous page.",
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
      summary: "List your bulk runs",
      description: "Returns the runs of the last 30 days that were started, latest first, at most 50.",
    })
    .output(z.object({ runs: z.array(bulkRun) })),
};
