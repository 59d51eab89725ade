import { createHash } from "node:crypto";
import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { type ApiScope, isApiScope } from "#domain/api-scope.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { user } from "#server/features/account/tables.ts";
import { lacksSecondFactor } from "#server/features/second-factor/tables.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import type { Environment } from "#server/platform/environment.ts";
import { apiKey } from "./tables.ts";

/** The session of a key's holder, and the scopes of the key. */
export type KeyHolder = { keyId: string; session: Session; scopes: ReadonlySet<ApiScope> };

/** The expiry of a key that never expires. */
const farAway = new Date("9999-12-31");
/** API keys never prove a recent login: calls that need one are not for programs. */
const never = new Date(0);

/** Hashes a key. Only the hash is stored, so that the database contains no usable key. */
export const hashOfKey = (key: string): string => createHash("sha256").update(key).digest("base64url");

/** Checks API keys on every call, so that a revoked key or a disabled holder is refused immediately. */
export function createApiKeySessions({
  database: { db },
  secondFactorRequired,
}: {
  database: Database;
  secondFactorRequired: Environment["secondFactorRequired"];
}) {
  const isOld = or(isNull(apiKey.lastUsedAt), lt(apiKey.lastUsedAt, sql`now() - interval '1 minute'`));
  const byHash = db
    .select({
      keyId: apiKey.id,
      scopes: apiKey.scopes,
      expiresAt: apiKey.expiresAt,
      useIsOld: sql<boolean>`${isOld}`,
      holder: {
        userId: user.id,
        role: user.role,
        status: user.status,
        lacksSecondFactor: lacksSecondFactor(secondFactorRequired),
      },
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
    /** Returns the holder of the key in an Authorization header; null if the key does not work for any reason. */
    async check(authorization: string): Promise<KeyHolder | null> {
      const key = /^bearer +(wf_[\w-]{43})$/i.exec(authorization)?.[1];
      if (key === undefined) return null;
      const [row] = await byHash.execute({ hash: hashOfKey(key) });
      if (!row || !mayManageStudents(row.holder)) return null;
      const { keyId, holder } = row;
      // The statement checks the age again, so that only one of many concurrent calls writes.
      if (row.useIsOld)
        await db
          .update(apiKey)
          .set({ lastUsedAt: sql`now()` })
          .where(and(eq(apiKey.id, keyId), isOld));
      const expiresAt = row.expiresAt ?? farAway;
      const session = { ...holder, id: `api-key ${keyId}`, expiresAt, provedAt: never, twoStep: false };
      return { keyId, session, scopes: new Set(row.scopes.filter(isApiScope)) };
    },

    /** Revokes all keys of an account; returns how many there were. */
    async revokeAll(tx: Transaction, userId: string): Promise<number> {
      const revoked = await tx.delete(apiKey).where(eq(apiKey.userId, userId)).returning({ id: apiKey.id });
      return revoked.length;
    },
  };
}
