import { z } from "zod";
import { apiKeyLifetimes } from "#domain/api-key.ts";
import { apiScopes } from "#domain/api-scope.ts";
import { done, formText, guarded, id } from "./base.ts";
import { declared } from "./errors.ts";

const scopes = z.array(z.enum(apiScopes)).max(apiScopes.length);

/** `start`: the first characters of the key. `lastUsed`: null until its first use, then accurate to a minute. */
const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  start: z.string(),
  scopes: z.array(z.string()),
  since: z.date(),
  expires: z.date().nullable(),
  expired: z.boolean(),
  lastUsed: z.date().nullable(),
});

/** For approved agents and admins: keys that let programs act as them at /api/v1. */
export const apiKeys = {
  /** The caller's keys, the oldest first, including expired ones. */
  list: guarded({ who: "staff", reads: true }).output(z.object({ keys: z.array(apiKey) })),

  /** Creates a key, returned only once, since only its hash is stored. `resource-exhausted`: the account has ten. */
  create: guarded({ who: "staff" })
    .errors(declared("form/incomplete", "auth/requires-recent-login", "account/unverified"))
    .input(
      z.object({
        name: formText,
        scopes: scopes.default([]),
        days: z.literal(apiKeyLifetimes).default(null),
      }),
    )
    .output(z.object({ id: z.string(), key: z.string() })),

  /** Revokes a key, which stops working immediately. */
  revoke: guarded({ who: "staff" }).errors(declared("not-found")).input(z.object({ id })).output(done),
};
