import { randomBytes, randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import {
  type ApiKeyLifetime,
  apiKeyPrefix,
  apiKeyProblem,
  apiKeyStartLength,
  mostApiKeys,
} from "#domain/api-key.ts";
import type { ApiScope } from "#domain/api-scope.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import { lockForAdding } from "#server/features/sessions/lock-holder.ts";
import type { SessionActor } from "#server/features/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { hashOfKey } from "./api-key-sessions.ts";
import { apiKey } from "./tables.ts";

type NewKey = { name: string; scopes: readonly ApiScope[]; days: ApiKeyLifetime };

/** Creates a key, which is shown only once. */
export async function createApiKey(
  services: Services,
  actor: SessionActor,
  { name, scopes, days }: NewKey,
): Promise<{ id: string; key: string }> {
  const { userId } = actor;
  const [id, key] = [randomUUID(), apiKeyPrefix + randomBytes(32).toString("base64url")];
  const sortedScopes = [...new Set(scopes)].toSorted();
  await services.database.transaction(async (tx) => {
    const holder = await lockForAdding(tx, actor);
    if (!mayManageStudents(holder)) throw new Refusal("permission-denied");
    const problem = apiKeyProblem({ name, scopes: sortedScopes }, holder.role);
    if (problem) throw Refusal.of(problem);
    if ((await tx.$count(apiKey, eq(apiKey.userId, userId))) >= mostApiKeys)
      throw new Refusal("resource-exhausted", { message: `You can have up to ${mostApiKeys} API keys.` });
    await tx.insert(apiKey).values({
      id,
      userId,
      name: name.trim(),
      hash: hashOfKey(key),
      start: key.slice(0, apiKeyStartLength),
      scopes: sortedScopes,
      expiresAt: days === null ? null : sql`now() + make_interval(days => ${days})`,
    });
    await recordOwn(tx, "api-key-created", actor, { key: id, scopes: sortedScopes.join(" ") });
    await queueSecurityMail(services, tx, userId, "api-key-created");
  });
  return { id, key };
}

/** Revokes a key. It stops working immediately, because every call looks it up. */
export async function revokeApiKey({ database }: Services, actor: Actor, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    const revoked = await tx
      .delete(apiKey)
      .where(and(eq(apiKey.userId, actor.userId), eq(apiKey.id, id)))
      .returning({ id: apiKey.id });
    if (revoked.length === 0) throw new Refusal("not-found");
    await recordOwn(tx, "api-key-revoked", actor, { key: id });
  });
}
