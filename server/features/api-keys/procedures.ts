import { asc, eq, sql } from "drizzle-orm";
import { requireRecentLogin } from "#server/features/sessions/recent-login.ts";
import { actorOf, done, sessionActorOf, signedIn } from "#server/procedures.ts";
import { createApiKey, revokeApiKey } from "./commands.ts";
import { apiKey } from "./tables.ts";

export const apiKeys = {
  list: signedIn.apiKeys.list.handler(async ({ context: { services, session } }) => ({
    keys: await services.database.db
      .select({
        id: apiKey.id,
        name: apiKey.name,
        start: apiKey.start,
        scopes: apiKey.scopes,
        since: apiKey.createdAt,
        expires: apiKey.expiresAt,
        expired: sql<boolean>`coalesce(${apiKey.expiresAt} <= now(), false)`,
        lastUsed: apiKey.lastUsedAt,
      })
      .from(apiKey)
      .where(eq(apiKey.userId, session.userId))
      .orderBy(asc(apiKey.createdAt), asc(apiKey.id)),
  })),

  create: signedIn.apiKeys.create.handler(async ({ input, context }) => {
    requireRecentLogin(context.session);
    return await createApiKey(context.services, sessionActorOf(context), input);
  }),

  revoke: signedIn.apiKeys.revoke.handler(async ({ input, context }) => {
    await revokeApiKey(context.services, actorOf(context), input.id);
    return done;
  }),
};
