import { z } from "zod";
import { applicationStates } from "#domain/application.ts";
import { reportRows, reportYears } from "#domain/enrolment-report.ts";
import { guarded, person } from "./base.ts";
import { declared } from "./errors.ts";

const { first, last } = reportYears;
/** A year in UTC; all years if it is left out. */
const year = z.number().int().min(first).max(last).optional();

const enrolments = z.number().int();
const monthRow = z.object({ month: z.string(), enrolments }).meta({ title: "EnrolmentsOfMonth" });
const agentRow = z.object({ agent: person.nullable(), enrolments }).meta({ title: "EnrolmentsOfAgent" });
const universityRow = z
  .object({ university: z.string(), enrolments })
  .meta({ title: "EnrolmentsOfUniversity" });
/** Days are null if no application has left the state yet. */
const stayRow = z
  .object({
    state: z.enum(applicationStates),
    ended: z.number().int(),
    medianDays: z.number().nullable(),
    slowDays: z.number().nullable(),
    current: z.number().int(),
  })
  .meta({ title: "StaysInState" });
export type StayRow = z.infer<typeof stayRow>;

/** For admins: what the consultancy has achieved, and how long it took (docs/product.md, "Reports"). */
export const reports = {
  enrolments: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/reports/enrolments",
      summary: "Count enrolments by month, agent and university",
      description: `Counts the applications that are enrolled, by the month (UTC) of that step. Agents are the students' current ones, and null for none. \`university\` is empty if the application names none. At most ${reportRows} agents and universities are returned, those with the most enrolments.`,
    })
    .errors(declared("deadline-exceeded"))
    .input(z.object({ year }))
    .output(
      z.object({
        months: z.array(monthRow),
        agents: z.array(agentRow),
        universities: z.array(universityRow),
      }),
    ),

  stays: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/reports/stays",
      summary: "Get how long applications stay in each state",
      description:
        "`ended` counts the stays that ended, in `year` if it is set. Half of them lasted at most `medianDays`, and nine in ten at most `slowDays`. `current` counts the applications that are in the state now.",
    })
    .errors(declared("deadline-exceeded"))
    .input(z.object({ year }))
    .output(z.object({ states: z.array(stayRow) })),
};
