import { z } from "zod";
import { type AuditAction, auditActions, auditPersonLimit } from "#domain/audit.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { guarded, moment, pageOf, text } from "./base.ts";
import { declared } from "./errors.ts";

const actions = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];
/** An email address or an account's id; `operator` for commands on the server. */
const person = text(auditPersonLimit).default("");

/**
 * Filters of entries: `actor` did something to `subject`, at or after `from` and before `before`. Empty ones match
 * everything.
 */
export const auditFilter = z.object({
  action: z.enum(actions).optional(),
  actor: person,
  subject: person,
  from: moment.optional(),
  before: moment.optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** `email` is null once the account is deleted. */
const account = z.object({ id: z.string(), email: z.string().nullable() });

const entry = z
  .object({
    id: z.number(),
    at: z.date(),
    /** An action of an older or newer version may have no name here. */
    action: z.string(),
    actor: z.discriminatedUnion("kind", [
      account.extend({ kind: z.literal("account") }),
      z.object({ kind: z.literal("operator") }),
      z.object({ kind: z.literal("visitor") }),
      z.object({ kind: z.literal("server") }),
    ]),
    subject: account.nullable(),
    /** Network address of the request. */
    address: z.string().nullable(),
    detail: z.record(z.string(), z.string()),
  })
  .meta({ title: "AuditEntry" });
export type AuditEntry = z.infer<typeof entry>;

/** For admins: who did what to whom, and when. */
export const audit = {
  list: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/audit-entries",
      summary: "List entries of the audit log",
      description:
        "Returns who did what to whom, and when, newest first, 50 per page. `actor` and `subject` are an email address or the id of an account. As an actor, `operator` stands for whoever ran a command on the server.",
    })
    .errors(declared("deadline-exceeded"))
    .input(auditFilter.extend({ ...pageOf(adminRowsPerPage) }))
    .output(
      z.object({
        entries: z.array(entry),
        /** Names of the accounts in these entries' details, by id. */
        people: z.record(z.string(), z.string()),
        next: z.string().nullable(),
      }),
    ),

  lastCheck: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/audit-check",
      summary: "Get the last check of the audit log",
      description:
        "The chain of the log is checked every night. `problem` says what the check found, and is null if it found nothing. The response is null before the first check.",
    })
    .output(z.object({ at: z.date(), position: z.number(), problem: z.string().nullable() }).nullable()),
};
