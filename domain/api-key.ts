import type { Role } from "./account.ts";
import { type ApiScope, scopesOf } from "./api-scope.ts";
import { type Problem } from "./error-catalogue.ts";
import { passkeyNameLimit, passkeyNameProblem } from "./passkey.ts";
import { wrong } from "./problem.ts";

/** Most API keys of an account. */
export const mostApiKeys = 10;
/** Most characters of a key's name. */
export const apiKeyNameLimit = passkeyNameLimit;

/** Every key begins with this, so that secret scanners recognise it. */
export const apiKeyPrefix = "wf_";
/** Number of leading characters that are stored to identify a key. A key has 46, so the rest can't be guessed. */
export const apiKeyStartLength = 9;

/** Days until a key expires; its holder chooses one of these. Null means never. */
export const apiKeyLifetimes = [30, 90, 365, null] as const;
export type ApiKeyLifetime = (typeof apiKeyLifetimes)[number];

/** Returns what is wrong with a new key of a user with this role, or null. */
export function apiKeyProblem(
  { name, scopes }: { name: string; scopes: readonly ApiScope[] },
  role: Role,
): Problem<"name" | "scopes"> | null {
  const nameProblem = passkeyNameProblem(name);
  if (nameProblem) return nameProblem;
  const allowed = scopesOf(role);
  if (scopes.length > 0 && scopes.every((scope) => allowed.includes(scope))) return null;
  return wrong("scopes", "Please choose what the key may do.");
}
