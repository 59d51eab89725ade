import { z } from "zod";
import { agentTabs } from "#domain/agent-approval.ts";
import { done, guarded, id, text } from "./base.ts";
import { declared } from "./errors.ts";

/**
 * A card of the admin dashboard. `date` is when the agent applied, was approved, revoked, denied or
 * disabled, null where nobody knows; `by` the email of the admin who did it. A denied application is known by its
 * address alone.
 */
const agentCard = z.object({
  id: z.string(),
  kind: z.enum(["pending", "approved", "revoked", "denied", "disabled"]),
  name: z.string(),
  email: z.string(),
  agency: z.string(),
  date: z.date().nullable(),
  by: z.string().nullable(),
});
export type AgentCard = z.infer<typeof agentCard>;

const decision = guarded
  .errors(declared("not-found", "failed-precondition"))
  .input(z.object({ id }))
  .output(done);

/** The admin dashboard (spec 2, 4, 6): every call is an admin's. */
export const agents = {
  counts: guarded.output(z.object({ pending: z.number(), approved: z.number(), former: z.number() })),
  /** Newest first, 50 at a time; `cursor` is the `next` of the page before. */
  list: guarded
    .input(z.object({ tab: z.enum(agentTabs), cursor: text(200).optional() }))
    .output(z.object({ agents: z.array(agentCard), next: z.string().nullable() })),
  /** A pending agent, or a revoked one again. */
  approve: decision,
  /** Deletes the application's personal record; a tombstone keeps the address from signing up again. */
  deny: decision,
  revoke: decision,
  /** Removes the tombstone: the address may sign up anew. */
  liftDenial: decision,
};
