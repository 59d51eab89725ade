import { z } from "zod";
import { applicationStates, statesForStudent } from "#domain/application.ts";
import { documentKinds, documentStates } from "#domain/document.ts";
import { identityFields } from "#domain/profile.ts";
import { progressFields } from "#domain/progress.ts";
import {
  sortDirections,
  studentFilters,
  studentSearchLimit,
  studentSituationNames,
  studentSorts,
} from "#domain/student-list.ts";
import { studentsPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, id, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

const named = z.object({ id: z.string(), name: z.string() }).meta({ title: "Person" });
const agentChoice = named.extend({ agency: z.string() }).meta({ title: "AssignableAgent" });
export type AgentChoice = z.infer<typeof agentChoice>;

const progress = z
  .object({ profile: z.number(), documents: z.number(), overall: z.number() })
  .meta({ title: "Progress" });
/** The number of the six that count as uploaded, and of those that nobody has reviewed yet. */
const documents = z.object({ uploaded: z.number(), toReview: z.number() });

/**
 * A row of Manage Students. Nothing of the student's identity is in it. `erasedOn` is the day on which the account of a
 * student who asked for that is erased; null for most.
 */
const studentRow = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    country: z.string(),
    disabled: z.boolean(),
    erasedOn: z.date().nullable(),
    agent: named.nullable(),
    progress,
    documents,
  })
  .meta({ title: "Student" });
export type StudentRow = z.infer<typeof studentRow>;

/** One of the six slots: null where nothing is uploaded. */
const slot = z.object({ kind: z.enum(documentKinds), state: z.enum(documentStates).nullable() });

/** The expanded row: percentages, and for each of the six slots its document's state or null. */
const studentDetails = z
  .object({
    id: z.string(),
    agent: agentChoice.nullable(),
    progress,
    documents: z.array(slot),
    shortlistItems: z.number(),
    applications: z.number(),
  })
  .meta({ title: "StudentDetails" });
export type StudentDetails = z.infer<typeof studentDetails>;

/** Texts as stored, dates as YYYY-MM-DD; empty where nothing is. */
const identity = z.object(
  Object.fromEntries(identityFields.map((field) => [field, z.string()])) as Record<
    (typeof identityFields)[number],
    z.ZodString
  >,
);

const waitingApplication = z
  .object({
    student: named,
    program: z.string(),
    intake: z.string(),
    state: z.enum(applicationStates),
    since: z.date(),
  })
  .meta({ title: "WaitingApplication" });
/** `total`: how many there are; `entries` may be fewer. */
const waitingList = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({ entries: z.array(entry), total: z.number() });
const search = text(studentSearchLimit).default("");

/** Students as they see themselves, and as agents and admins manage them (docs/product.md, "Manage Students"). */
export const students = {
  /** The asking student's dashboard. Percentages are whole; no identity field is in it. */
  dashboard: guarded({ who: "student", reads: true }).output(
    z.object({
      progress,
      missingFields: z.array(z.enum(progressFields)),
      /** `reason` says why one was rejected. */
      documents: z.array(slot.extend({ reason: z.string() })),
      agent: z
        .object({ name: z.string(), agency: z.string(), email: z.string(), phone: z.string() })
        .nullable(),
      applications: z.number(),
      /** The application that waits longest for the student's own step: an answer, or accepting an offer. */
      asks: z
        .object({
          id: z.string(),
          program: z.string(),
          intake: z.string(),
          state: z.enum(statesForStudent),
        })
        .nullable(),
    }),
  ),

  /** `total` counts the students in the chosen situation, on the first page of a list that isn't searched. */
  list: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/students",
      summary: "Students, searched, filtered and sorted",
      description:
        "50 at a time. `search` finds parts of name and address in any order, whatever their accents and letter case.",
    })
    .errors(declared("deadline-exceeded"))
    .input(
      z.object({
        search,
        filter: z.enum(studentFilters).default("all"),
        situation: z.enum(studentSituationNames).optional(),
        sort: z.enum(studentSorts).default("name"),
        direction: z.enum(sortDirections).default("ascending"),
        ...pageOf(studentsPerPage),
      }),
    )
    .output(
      z.object({
        students: z.array(studentRow),
        total: z.number().int().nullable(),
        next: z.string().nullable(),
      }),
    ),

  details: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/students/{studentId}",
      summary: "A student's progress, documents' states and agent",
      description: "Percentages are whole numbers. A slot without a document has the state null.",
    })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(studentDetails),

  /** For the assigned agent and admins only; each look is in the audit log. */
  identity: guarded({ who: "staff" })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(identity),

  /**
   * Creates the address of a zip with all details and documents of a student, for 5 minutes and this session alone. For
   * the assigned agent and admins only; each use is in the audit log like the looks that it holds.
   */
  fileLink: guarded({ who: "staff" })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(z.object({ url: z.string(), expiresAt: z.date() })),

  agents: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/assignable-agents",
      summary: "Approved agents a student can be assigned to",
      description: "By name, a few at most: search for more.",
    })
    .input(z.object({ search }))
    .output(z.object({ agents: z.array(agentChoice) })),

  assign: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/students/{studentId}/agent",
      summary: "Assign a student to an agent, or to nobody",
      description:
        "`expectedAgentId` is the agent that you saw, or null. `failed-precondition`: the student is assigned otherwise by now, or the chosen agent isn't approved any more.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ studentId: id, agentId: id.nullable(), expectedAgentId: id.nullable() }))
    .output(done),

  setDisabled: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/students/{userId}/disabled",
      summary: "Disable or enable a student's account",
      description:
        "Takes a student or an agent. Disabling ends their sessions at once. A disabled agent keeps their students for some days, unless `releaseStudents` is set.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ userId: id, disabled: z.boolean(), releaseStudents: z.boolean().default(false) }))
    .output(done),

  handOver: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/agents/{fromAgentId}/hand-overs",
      summary: "Hand all of an agent's students over",
      description:
        "They get another agent, or none if `toAgentId` is null. Answers how many there were. `failed-precondition`: the chosen agent isn't approved any more.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ fromAgentId: id, toAgentId: id.nullable() }))
    .output(z.object({ students: z.number() })),

  waiting: guarded({ who: "approvedAgent" })
    .route({
      method: "GET",
      path: "/students/waiting",
      summary: "What's waiting for you, as an agent",
      description:
        "What has waited longest comes first; newly assigned students come newest first. `all` asks for many entries of each kind instead of a few.",
    })
    .input(z.object({ all: z.boolean().default(false) }))
    .output(
      z.object({
        documents: waitingList(
          z.object({ student: named, kinds: z.array(z.enum(documentKinds)), since: z.date() }),
        ),
        /** The next step is the agent's. */
        applications: waitingList(waitingApplication),
        /** The next step is a university's or an embassy's, and nothing has happened for some time. */
        idle: waitingList(waitingApplication),
        assigned: waitingList(z.object({ student: named, since: z.date() })),
        /** The next step is the student's. */
        students: waitingList(waitingApplication),
      }),
    ),
};
