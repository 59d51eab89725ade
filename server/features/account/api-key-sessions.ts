import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { type ApiScope, isApiScope } from "#domain/api-scope.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { lacksSecondFactor } from "#domain/second-factor.ts";
import type { Database } from "#server/platform/database.ts";
import type { Environment } from "#server/platform/environment.ts";
import { hashOfKey } from "./commands/api-keys.ts";
import { hasSecondFactor } from "./queries.ts";
import type { Session } from "./sessions.ts";
import { apiKey, user } from "./tables.ts";

/** Who asks by a key, and what the key may do. */
export type KeyHolder = { keyId: string; session: Session; scopes: ReadonlySet<ApiScope> };
export type ApiKeySessions = ReturnType<typeof createApiKeySessions>;

/** Of a key that never expires; nothing asks. */
const farAway = new Date("9999-12-31");
/** Nobody has proved anything by a key: what needs a recent login is not for programs. */
const never = new Date(0);

/** Acts as the holder of a key. Looked up at every call: whoever is revoked or disabled is refused at once. */
export function createApiKeySessions({
  database: { db },
  secondFactorRequired,
}: {
  database: Database;
  secondFactorRequired: Environment["secondFactorRequired"];
}) {
  const useIsOld = or(isNull(apiKey.lastUsedAt), lt(apiKey.lastUsedAt, sql`now() - interval '1 minute'`));
  const byHash = db
    .select({
      id: apiKey.id,
      userId: user.id,
      scopes: apiKey.scopes,
      expiresAt: apiKey.expiresAt,
      role: user.role,
      status: user.status,
      hasSecondFactor,
      useIsOld: sql<boolean>`${useIsOld}`,
    })
    .from(apiKey)
    .innerJoin(user, eq(user.id, apiKey.userId))
    .where(
      and(
        eq(apiKey.hash, sql.placeholder("hash")),
        or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, sql`now()`)),
      ),
    )
    .prepare("api_key_by_hash");

  return {
    /** Whose key an Authorization header holds; null for one that doesn't work, for whatever reason. */
    async check(authorization: string): Promise<KeyHolder | null> {
      const key = /^bearer +(wf_[\w-]{43})$/i.exec(authorization)?.[1];
      if (key === undefined) return null;
      const [found] = await byHash.execute({ hash: hashOfKey(key) });
      if (!found || !mayManageStudents(found)) return null;
      const { id: keyId, userId, role, status } = found;
      // Asked again in the statement: of many calls at once, one writes.
      if (found.useIsOld)
        await db
          .update(apiKey)
          .set({ lastUsedAt: sql`now()` })
          .where(and(eq(apiKey.id, keyId), useIsOld));
      const session = {
        id: `api-key ${keyId}`,
        userId,
        role,
        status,
        expiresAt: found.expiresAt ?? farAway,
        provedAt: never,
        lacksSecondFactor: lacksSecondFactor(found, secondFactorRequired),
      };
      return { keyId, session, scopes: new Set(found.scopes.filter(isApiScope)) };
    },
  };
}
