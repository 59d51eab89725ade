import { z } from "zod";
import { retentionRules } from "#domain/retention.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { guarded, pageOf } from "./base.ts";
import { declared } from "./errors.ts";

const rule = z.enum(retentionRules);

const ruleState = z
  .object({ rule, days: z.number().nullable(), due: z.number(), soon: z.number() })
  .meta({ title: "RetentionRule" });
/** `count`: a user's notifications are one entry; they are removed from `at` on. */
const entry = z
  .object({ id: z.string(), at: z.date(), who: z.string(), count: z.number().int() })
  .meta({ title: "RetentionEntry" });

/** For admins: the data that the server will remove automatically within the next 30 days. */
export const retention = {
  rules: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/retention",
      summary: "List the rules of automatic removal",
      description:
        "Returns every rule. `days` is the number of days after which it removes something; it is null for a rule that is off, and for `deletionAsked`, which always applies. `due` is how much it would remove tonight, and `soon` how much within 30 days.",
    })
    .errors(declared("deadline-exceeded"))
    .output(
      z.object({
        rules: z.array(ruleState),
      }),
    ),

  list: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/retention/{rule}",
      summary: "List what one rule will remove, and when",
      description:
        "Returns what the rule will remove within 30 days, soonest first. `who` is the email address of the account that an entry is about, or the action of an entry of the audit log. A person's notifications are one entry with their `count`, and are removed from `at` onwards.",
    })
    .errors(declared("deadline-exceeded"))
    .input(z.object({ rule, ...pageOf(adminRowsPerPage) }))
    .output(
      z.object({
        entries: z.array(entry),
        next: z.string().nullable(),
      }),
    ),
};
