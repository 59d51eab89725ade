import { z } from "zod";
import { retentionRules } from "#domain/retention.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { guarded, pageOf } from "./base.ts";
import { declared } from "./errors.ts";

const rule = z.enum(retentionRules);

/** An admin's: what the server will remove by itself within the next 30 days. */
export const retention = {
  /**
   * Every rule with the days after which it removes something, null where it is switched off; how many it would remove
   * tonight (`due`), and within the 30 days.
   */
  rules: guarded
    .route({ method: "GET", path: "/retention", summary: "What will be removed automatically" })
    .errors(declared("deadline-exceeded"))
    .output(
      z.object({
        rules: z.array(z.object({ rule, days: z.number().nullable(), due: z.number(), soon: z.number() })),
      }),
    ),

  /** What one rule will remove and when, the first to go first: an account's email, whose it is, or what. */
  list: guarded
    .route({ method: "GET", path: "/retention/{rule}", summary: "What one rule will remove, and when" })
    .errors(declared("deadline-exceeded"))
    .input(z.object({ rule, ...pageOf(adminRowsPerPage) }))
    .output(
      z.object({
        entries: z.array(z.object({ id: z.string(), at: z.date(), who: z.string() })),
        next: z.string().nullable(),
      }),
    ),
};
