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
      summary: "What will be removed automatically",
      description:
        "Every rule with the number of days after which it removes something, null where it is off; how much it would remove tonight (`due`) and within 30 days (`soon`).",
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
      summary: "What one rule will remove, and when",
      description:
        "What goes first comes first: an account's email address, whose record it is, or what it is. A person's notifications are one entry with their `count`, and go from `at` on.",
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
