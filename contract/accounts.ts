import { z } from "zod";
import { roles, statuses } from "#domain/account.ts";
import { accountSearchLimit } from "#domain/account-list.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, id, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

/**
 * An account as admins see it. `students` counts those assigned to an agent. `lastLogin` is null when nothing is
 * recorded: never, or long ago. `erasedOn`: the day on which the account is erased, null for most.
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

/** For admins: everyone who has an account. */
export const accounts = {
  list: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/accounts",
      summary: "Accounts, newest first",
      description:
        "Everyone who has an account, 50 at a time. `search` finds parts of names and addresses in any order, whatever their accents and letter case. `lastLogin` is null where nobody knows when it was.",
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

  /** Logs an account out wherever it is logged in, the admin's own too; it can log in again. */
  signOut: guarded({ who: "admin" })
    .errors(declared("not-found"))
    .input(z.object({ userId: id }))
    .output(done),
};
