import { z } from "zod";
import { roles, statuses } from "#domain/account.ts";
import { helpReasonLimit } from "#domain/account-help.ts";
import { accountSearchLimit } from "#domain/account-list.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { done, formText, guarded, id, pageOf, person, text } from "./base.ts";
import { declared } from "./errors.ts";

/**
 * An account as admins see it. `students` counts those assigned to an agent. `lastLogin` is null if none is recorded:
 * never, or long ago. `erasedOn`: the day on which the account is erased, null for most.
 */
const row = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    status: z.enum(statuses),
    emailVerified: z.boolean(),
    since: z.date(),
    lastLogin: z.date().nullable(),
    erasedOn: z.date().nullable(),
    students: z.number(),
  })
  .meta({ title: "Account" });
export type AccountRow = z.infer<typeof row>;

/** An account with the details at the top of its page. `agent` is a student's agent, or null. */
const summary = row
  .extend({ phone: z.string(), agency: z.string(), country: z.string(), agent: person.nullable() })
  .meta({ title: "AccountSummary" });
export type AccountSummary = z.infer<typeof summary>;

/** The details that admins edit; agency and country are an agent's. `version` grows with each change of the profile. */
const details = z
  .object({
    id: z.string(),
    role: z.enum(roles),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    phoneNumber: z.string(),
    agency: z.string(),
    country: z.string(),
    version: z.number().int(),
  })
  .meta({ title: "AccountDetails" });
export type AccountDetails = z.infer<typeof details>;

/** For admins: everyone who has an account. */
export const accounts = {
  list: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/accounts",
      summary: "List accounts",
      description:
        "Returns everyone who has an account, newest first, 50 per page. `search` matches parts of names and email addresses in any order, ignoring accents and letter case. `lastLogin` is null if the time of the last login is unknown.",
    })
    .errors(declared("deadline-exceeded"))
    .input(
      z.object({
        search: text(accountSearchLimit).default(""),
        role: z.enum(roles).optional(),
        status: z.enum(statuses).optional(),
        ...pageOf(adminRowsPerPage),
      }),
    )
    .output(z.object({ accounts: z.array(row), next: z.string().nullable() })),

  summary: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/accounts/{userId}/summary",
      summary: "Get the summary of an account",
      description:
        "Returns what the list of accounts contains for this account, with its phone number, agency and country, and a student's agent.",
    })
    .errors(declared("not-found"))
    .input(z.object({ userId: id }))
    .output(summary),

  details: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/accounts/{userId}",
      summary: "Get the details of a student or an agent",
      description:
        "Returns name, email address and phone number, an agent's agency and country, and the `version` to send with a change.",
    })
    .errors(declared("not-found"))
    .input(z.object({ userId: id }))
    .output(details),

  editDetails: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/accounts/{userId}",
      summary: "Change the details of a student or an agent",
      description:
        "Changes the name and phone number and, for an agent, `agency` and `country`, which keep their values if they are omitted. The account holder is emailed which details have changed. `version` is the one that you read. `failed-precondition`: the details have changed since then.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        userId: id,
        version: z.number().int().min(0),
        firstName: formText,
        lastName: formText,
        phoneNumber: formText,
        agency: text(4096).optional(),
        country: text(4096).optional(),
      }),
    )
    .output(done),

  /**
   * Removes the lost second factor of a student or an agent: authenticator app, recovery codes and passkeys. Ends all
   * their sessions and API keys, and emails them the reason.
   */
  resetSecondFactor: guarded({ who: "admin" })
    .errors(declared("not-found", "failed-precondition", "form/incomplete", "auth/requires-recent-login"))
    .input(z.object({ userId: id, reason: text(4 * helpReasonLimit) }))
    .output(done),

  /**
   * Logs an account out everywhere, even the admin's own; it can log in again. `withKeys` ends its API keys and its
   * calendar's address too.
   */
  signOut: guarded({ who: "admin" })
    .errors(declared("not-found"))
    .input(z.object({ userId: id, withKeys: z.boolean().default(false) }))
    .output(done),
};
