import { z } from "zod";
import { clueLabel, mostInGroup, verdicts } from "#domain/duplicates.ts";
import { keysOf } from "#domain/keys-of.ts";
import { done, guarded, id } from "./base.ts";
import { declared } from "./errors.ts";

const member = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    agent: z.string().nullable(),
    applications: z.number(),
    disabled: z.boolean(),
    joinedAt: z.date(),
    lastLoginAt: z.date(),
  })
  .meta({ title: "DuplicateMember" });

/** `decision` is null while nobody has decided about all of the accounts together. */
const group = z
  .object({
    members: z.array(member),
    clues: z.array(z.enum(keysOf(clueLabel))),
    decision: z
      .object({ id: z.string(), verdict: z.enum(verdicts), by: z.string(), at: z.date() })
      .nullable(),
  })
  .meta({ title: "DuplicateGroup" });
export type DuplicateGroupRow = z.infer<typeof group>;

/** For admins: students who may have two accounts. They are not blocked. */
export const duplicates = {
  list: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/duplicates",
      summary: "List accounts that may belong to one person",
      description:
        "Returns groups of students who share identity facts, which are not part of the response: the groups that are still to be decided, or the latest decisions. At most 100 groups are returned; `more` says whether there are others.",
    })
    .errors(declared("deadline-exceeded"))
    .input(z.object({ show: z.enum(["open", "decided"]).default("open") }))
    .output(z.object({ groups: z.array(group), more: z.boolean() })),

  decide: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/duplicates/decisions",
      summary: "Decide whether accounts belong to one person",
      description:
        "The group leaves the open list until another account joins it. No account is changed. `not-found`: one of the accounts is no longer a student's. `failed-precondition`: there is already a decision about these accounts, which must be taken back first.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(
      z.object({
        studentId: id,
        otherIds: z
          .array(id)
          .min(1)
          .max(mostInGroup - 1),
        verdict: z.enum(verdicts),
      }),
    )
    .output(z.object({ id: z.string() })),

  reopen: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/duplicates/decisions/{id}",
      summary: "Take back a decision about accounts",
      description: "The group is listed as open again. `not-found`: the decision no longer exists.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: z.uuid() }))
    .output(done),
};
