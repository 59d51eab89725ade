import { asc, eq, sql } from "drizzle-orm";
import { actorOf, done, staff } from "#server/procedures.ts";
import { createApiKey, revokeApiKey } from "./commands/api-keys.ts";
import { demandRecentLogin } from "./recent-login.ts";
import { apiKey } from "./tables.ts";

export const apiKeys = {
  list: staff.apiKeys.list.handler(async ({ context: { services, session } }) => ({
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

  create: staff.apiKeys.create.handler(async ({ input, context }) => {
    demandRecentLogin(context.session);
    return await createApiKey(context.services, actorOf(context), input);
  }),

  revoke: staff.apiKeys.revoke.handler(async ({ input, context }) => {
    await revokeApiKey(context.services, actorOf(context), input.id);
    return done;
  }),
};
