import { z } from "zod";
import { applicationStates } from "#domain/application.ts";
import { bulkLimits } from "#domain/bulk-run.ts";
import { documentKinds } from "#domain/document.ts";
import { noteLimits } from "#domain/note.ts";
import { identityFields } from "#domain/profile.ts";
import { studentColumnNames, waitingNames } from "#domain/student-list.ts";
import { studentsPerPage } from "#protocol/page-sizes.ts";
import { done, formText, guarded, id, pageOf, person, text } from "./base.ts";
import { declared } from "./errors.ts";
import { studentDashboard } from "./student-dashboard.ts";
import { agentChoice, fitsOfList, search, studentDetails, studentRow, studentView } from "./student-rows.ts";

export type { AgentChoice, StudentDetails, StudentRow, StudentView } from "./student-rows.ts";

/** Texts as stored, dates as YYYY-MM-DD; empty if not given. */
const identity = z.object(
  Object.fromEntries(identityFields.map((field) => [field, z.string()])) as Record<
    (typeof identityFields)[number],
    z.ZodString
  >,
);

const waitingApplication = z
  .object({
    id: z.string(),
    student: person,
    program: z.string(),
    intake: z.string(),
    university: z.string(),
    year: z.number().int().nullable(),
    state: z.enum(applicationStates),
    since: z.date(),
  })
  .meta({ title: "WaitingApplication" });
/** `total`: how many there are; `entries` may be fewer. */
const waitingList = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({ entries: z.array(entry), total: z.number() });
/** A number of students, by an intake or a country. */
const figure = z.object({ value: z.string(), students: z.number().int() }).meta({ title: "Figure" });
/** A note for the next agent; empty for none. */
export const handoverNote = text(4 * noteLimits.text).default("");
/** Students as they see themselves, and as agents and admins manage them (docs/product.md, "Manage Students"). */
export const students = {
  dashboard: guarded({ who: "student", reads: true }).output(studentDashboard),

  /**
   * `total` counts the students that match the filters, on the first page of a list that isn't searched. `not-found`:
   * there is no such programme or intake.
   */
  list: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/students",
      summary: "List students",
      description:
        "Returns students, searched, filtered and sorted, 50 per page. `search` matches parts of names and email addresses in any order, ignoring accents and letter case, and phone numbers in any notation.",
    })
    .errors(declared("deadline-exceeded", "not-found"))
    .input(studentView.extend(pageOf(studentsPerPage)))
    .output(
      z.object({
        students: z.array(studentRow),
        total: z.number().int().nullable(),
        next: z.string().nullable(),
        /** Null without the filter `fits`. */
        fits: fitsOfList.nullable(),
      }),
    ),

  details: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/students/{studentId}",
      summary: "Get a student's progress, states of documents and agent",
      description:
        "Percentages are whole numbers. The state of a slot without a document is null. `sharingStoppedAt` is the time at which the student stopped sharing papers with their agent; only that agent and admins see it.",
    })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(studentDetails),

  /** For the assigned agent and admins only; the audit log records each look. */
  identity: guarded({ who: "staff" })
    .errors(declared("not-found", "look/reason-required"))
    .input(z.object({ studentId: id }))
    .output(identity),

  /**
   * Creates the address of a zip with all details and documents of a student, for 5 minutes and only this session. For
   * the assigned agent and admins only; the audit log records each use, like the looks that it includes.
   */
  fileLink: guarded({ who: "staff" })
    .errors(declared("not-found", "look/reason-required"))
    .input(z.object({ studentId: id }))
    .output(z.object({ url: z.string(), expiresAt: z.date() })),

  /**
   * Creates the address of a CSV file of students, for 5 minutes and only this session: those of a view, or those of
   * `studentIds`, at least one of whom must exist. `permission-denied`: only admins export identity details, for a
   * purpose that the students see.
   */
  exportLink: guarded({ who: "staff" })
    .errors(declared("not-found", "form/incomplete"))
    .input(
      z.object({
        view: studentView,
        columns: z.array(z.enum(studentColumnNames)).max(studentColumnNames.length),
        studentIds: z.array(id).min(1).max(bulkLimits.students).optional(),
        identity: z.boolean(),
        purpose: formText,
      }),
    )
    .output(z.object({ url: z.string(), expiresAt: z.date() })),

  agents: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/assignable-agents",
      summary: "List approved agents to whom a student can be assigned",
      description: "Returns at most 20 agents, by name. Use `search` to find others.",
    })
    .input(z.object({ search }))
    .output(z.object({ agents: z.array(agentChoice) })),

  assign: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/students/{studentId}/agent",
      summary: "Assign a student to an agent, or to nobody",
      description:
        "`expectedAgentId` is the agent that you saw, or null. `note` becomes a staff note about the student. `failed-precondition`: the student's agent has changed, or the chosen agent is no longer approved.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        studentId: id,
        agentId: id.nullable(),
        expectedAgentId: id.nullable(),
        note: handoverNote,
      }),
    )
    .output(done),

  setDisabled: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/students/{userId}/disabled",
      summary: "Disable or enable the account of a student or an agent",
      description:
        "Disabling an account ends its sessions immediately. A disabled agent keeps their students for 7 days, unless `releaseStudents` is set.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ userId: id, disabled: z.boolean(), releaseStudents: z.boolean().default(false) }))
    .output(done),

  handOver: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/agents/{fromAgentId}/hand-overs",
      summary: "Hand over all of an agent's students",
      description:
        "The students get another agent, or none if `toAgentId` is null. Returns the number of students. `note` becomes a staff note about each of them. `failed-precondition`: the chosen agent is no longer approved.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ fromAgentId: id, toAgentId: id.nullable(), note: handoverNote }))
    .output(z.object({ students: z.number() })),

  figures: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/students/figures",
      summary: "Count students by state, intake, country of study and agent, and by what is waiting",
      description:
        "Agents get figures about their own students. Admins get figures about all students, also by agent, for the agents with the most students. Students with several applications count in each.",
    })
    .output(
      z.object({
        byState: z.array(
          z
            .object({ value: z.enum(applicationStates), students: z.number().int() })
            .meta({ title: "StateFigure" }),
        ),
        byWaiting: z.array(
          z
            .object({ value: z.enum(waitingNames), students: z.number().int() })
            .meta({ title: "WaitingFigure" }),
        ),
        byIntake: z.array(figure),
        /** ISO 3166-1 codes. */
        byDestination: z.array(figure),
        byAgent: z.array(
          z.object({ agent: person, students: z.number().int() }).meta({ title: "AgentFigure" }),
        ),
      }),
    ),

  waiting: guarded({ who: "approvedAgent" })
    .route({
      method: "GET",
      path: "/students/waiting",
      summary: "List what is waiting for you, as an agent",
      description:
        "Entries that have waited longest come first; newly assigned students come newest first. With `all`, each list has many entries instead of a few.",
    })
    .input(z.object({ all: z.boolean().default(false) }))
    .output(
      z.object({
        documents: waitingList(
          z.object({ student: person, kinds: z.array(z.enum(documentKinds)), since: z.date() }),
        ),
        /** The next step is the agent's. */
        applications: waitingList(waitingApplication),
        /** The next step is a university's or an embassy's, and nothing has happened for some time. */
        idle: waitingList(waitingApplication),
        assigned: waitingList(z.object({ student: person, since: z.date() })),
        /** The next step is the student's. */
        students: waitingList(waitingApplication),
      }),
    ),

  /** Stops or resumes sharing identity details and files with the agent. `failed-precondition`: there is none. */
  setSharing: guarded({ who: "student" })
    .errors(declared("failed-precondition"))
    .input(z.object({ shares: z.boolean() }))
    .output(done),

  /** Asks for another agent; only admins read the reason. `already-exists`: an earlier request is open. */
  askForChange: guarded({ who: "student" })
    .errors(declared("failed-precondition", "already-exists", "form/incomplete"))
    .input(z.object({ reason: formText }))
    .output(done),

  /** Withdraws the student's request for another agent. */
  withdrawChange: guarded({ who: "student" }).errors(declared("failed-precondition")).output(done),
};
