import { z } from "zod";
import { applicationStates, studyCountries, studyLevels } from "#domain/application.ts";
import { documentTypes } from "#domain/document.ts";
import { requestKinds, requestStates } from "#domain/document-request.ts";
import { taskOwners, taskStates } from "#domain/task.ts";
import { applicationNames } from "./applications.ts";
import { person } from "./base.ts";
import { deadline } from "./deadline.ts";
import { enteredBy } from "./entered-by.ts";

/**
 * `file` was sent for a paper other than the six documents, which are in their slots. It is null for an agent with whom
 * the student has stopped sharing. Its `enteredBy` sent it on the student's behalf, and is null for the student.
 */
export const request = z
  .object({
    id: z.string(),
    applicationId: z.string().nullable(),
    kind: z.enum(requestKinds),
    name: z.string(),
    reason: z.string(),
    blocks: z.boolean(),
    state: z.enum(requestStates),
    note: z.string(),
    due: deadline.nullable(),
    file: z
      .object({
        name: z.string(),
        type: z.enum(documentTypes),
        size: z.number().int(),
        enteredBy: enteredBy.nullable(),
      })
      .nullable(),
    suppliedAt: z.date().nullable(),
    version: z.number().int(),
    createdAt: z.date(),
  })
  .meta({ title: "DocumentRequest" });
export type DocumentRequest = z.infer<typeof request>;

export const task = z
  .object({
    id: z.string(),
    applicationId: z.string().nullable(),
    title: z.string(),
    text: z.string(),
    owner: z.enum(taskOwners),
    state: z.enum(taskStates),
    note: z.string(),
    due: deadline.nullable(),
    version: z.number().int(),
    createdAt: z.date(),
  })
  .meta({ title: "Task" });
export type Task = z.infer<typeof task>;

/** `thing` identifies it for `mute`. `document`: one of the six, `other`, or null for a task. */
export const dueThing = z
  .object({
    thing: z.string(),
    kind: z.string(),
    id: z.string(),
    applicationId: z.string().nullable(),
    application: z.object(applicationNames).nullable(),
    document: z.enum(requestKinds).nullable(),
    title: z.string(),
    /** The reason of a request or the text of a task; once sent back or reopened, the reason for that. */
    text: z.string(),
    again: z.boolean(),
    due: deadline.nullable(),
    version: z.number().int(),
    muted: z.boolean(),
  })
  .meta({ title: "DueThing" });
export type DueThing = z.infer<typeof dueThing>;

export const template = z
  .object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    owner: z.enum(["student", "agent"]),
    studyLevel: z.enum(studyLevels).nullable(),
    country: z.enum(studyCountries).nullable(),
    dueDays: z.number().int().nullable(),
  })
  .meta({ title: "TaskTemplate" });
export type TaskTemplate = z.infer<typeof template>;

const dueEntry = z
  .object({
    thing: z.string(),
    kind: z.string(),
    student: person,
    applicationId: z.string().nullable(),
    document: z.enum(requestKinds).nullable(),
    title: z.string(),
    owner: z.enum(taskOwners),
    due: deadline,
  })
  .meta({ title: "DueEntry" });
const applicationEntry = z
  .object({
    applicationId: z.string(),
    student: person,
    ...applicationNames,
    state: z.enum(applicationStates),
    since: z.date(),
  })
  .meta({ title: "QuietApplication" });
const todayList = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({ entries: z.array(entry), total: z.number().int() });

export const today = z
  .object({
    overdue: todayList(dueEntry),
    dueToday: todayList(dueEntry),
    review: todayList(
      z
        .object({
          student: person,
          /** Slots with an unreviewed file, and other papers that were sent. */
          documents: z.array(z.string()),
          since: z.date(),
        })
        .meta({ title: "DocumentsToReview" }),
    ),
    /** Replies to offers that are due within seven days, after today. */
    replies: todayList(dueEntry),
    quiet: todayList(applicationEntry),
    passports: todayList(
      z
        .object({ applicationId: z.string(), student: person, ...applicationNames })
        .meta({ title: "ShortPassport" }),
    ),
    paused: todayList(z.object({ student: person, lastDay: z.string() }).meta({ title: "PausedStudent" })),
    resumed: todayList(z.object({ student: person, lastDay: z.string() }).meta({ title: "PausedStudent" })),
  })
  .meta({ title: "Today" });
export type Today = z.infer<typeof today>;
export type DueEntry = z.infer<typeof dueEntry>;
