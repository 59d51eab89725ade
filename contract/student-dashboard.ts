import { z } from "zod";
import { statesForStudent } from "#domain/application.ts";
import { offerStates } from "#domain/offer.ts";
import { progressFields } from "#domain/progress.ts";
import { applicationNames } from "./applications.ts";
import { deadline } from "./deadline.ts";
import { enteredBy } from "./entered-by.ts";
import { profileEntries } from "./profile.ts";
import { progress, slot } from "./student-rows.ts";

/** The calling student's dashboard. Percentages are whole; it has no identity field. */
export const studentDashboard = z.object({
  progress,
  missingFields: z.array(z.enum(progressFields)),
  /** `reason` says why one was rejected; `enteredBy` who uploaded it on the student's behalf. */
  documents: z.array(
    slot.extend({
      reason: z.string(),
      enteredBy: z.object({ by: enteredBy, at: z.date() }).nullable(),
    }),
  ),
  /** Saves of the profile by others, with the fields that are unchanged since, the latest first. */
  entries: profileEntries,
  agent: z.object({ name: z.string(), agency: z.string(), email: z.string(), phone: z.string() }).nullable(),
  /** The time at which the student stopped sharing with this agent; null while they share. */
  sharingStoppedAt: z.date().nullable(),
  /** The application whose list has waited longest for the student's confirmation. */
  confirms: z
    .object({
      id: z.string(),
      program: z.string(),
      university: z.string(),
      startDate: z.string(),
      year: z.number().int().nullable(),
    })
    .nullable(),
  /** The conversation that waits longest for the student's answer; a general one has no application. */
  reply: z.object({ threadId: z.string(), application: z.object(applicationNames).nullable() }).nullable(),
  /** The student's open request for another agent, and when its answer is due. */
  change: z.object({ askedAt: z.date(), dueAt: z.date() }).nullable(),
  applications: z.number(),
  /** The application that waits longest for the student's own step: an answer, or accepting an offer. */
  asks: z
    .object({
      id: z.string(),
      program: z.string(),
      intake: z.string(),
      university: z.string(),
      year: z.number().int().nullable(),
      state: z.enum(statesForStudent),
    })
    .nullable(),
  /** The open offer that the student should look at first, with the condition that is due next. */
  offer: z
    .object({
      id: z.string(),
      program: z.string(),
      intake: z.string(),
      university: z.string(),
      year: z.number().int().nullable(),
      state: z.enum(offerStates),
      replyBy: deadline.nullable(),
      openConditions: z.number().int(),
      nextCondition: z.object({ text: z.string(), due: deadline.nullable() }).nullable(),
    })
    .nullable(),
});
