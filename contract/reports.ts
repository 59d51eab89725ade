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
      summary: "Enrolments by month, agent and university",
      description: `Applications that are enrolled, by the month (UTC) of that step. Agents are those that the students have now, null for none; a university is empty where the application names none. At most ${reportRows} agents and universities, those with the most.`,
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
      summary: "How long applications stay in each state",
      description:
        "`ended` counts the stays that ended, in the `year` if there is one. Half of them lasted at most `medianDays`, nine in ten at most `slowDays`. `current` counts the applications that are in the state now.",
    })
    .errors(declared("deadline-exceeded"))
    .input(z.object({ year }))
    .output(z.object({ states: z.array(stayRow) })),
};
