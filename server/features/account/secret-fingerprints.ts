import { sql } from "drizzle-orm";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import type { Keys } from "#server/platform/keys.ts";
import { OperatorError } from "#server/platform/operator-error.ts";
import { secretFingerprint } from "./tables.ts";

type Parts = { database: Pick<Database, "transaction">; keys: Pick<Keys, "fingerprints"> };

const otherSecret =
  "SESSION_SECRET (or DATA_DIR/session-secret) is not the one that this database was used with: authenticators and webhooks would stop working. Set the former one, beside a new one if you are changing it; several nodes need the same. If it leaked and must not come back: npm run admin -- keys replace, then start again (docs/operations/security.md).";

/** Makes nodes that start together take turns. */
const lock = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.secrets})`);

async function write(tx: Transaction, { fingerprints }: Parts["keys"]): Promise<void> {
  await tx.delete(secretFingerprint);
  await tx.insert(secretFingerprint).values(fingerprints.map((fingerprint) => ({ fingerprint })));
}

/**
 * Stores the fingerprints of the secrets. Throws OperatorError if other fingerprints are stored and none of these is
 * among them: then this database belongs to another SESSION_SECRET, or other nodes use another one.
 */
export async function checkSecrets({ database, keys }: Parts): Promise<void> {
  await database.transaction(async (tx) => {
    await lock(tx);
    const before = await tx.select().from(secretFingerprint);
    const isKnown = before.some(({ fingerprint }) => keys.fingerprints.includes(fingerprint));
    if (before.length > 0 && !isKnown) throw new OperatorError(otherSecret);
    await write(tx, keys);
  });
}

/** Accepts the secrets regardless of the stored ones, as after a leak. */
export async function replaceSecrets({ database, keys }: Parts): Promise<void> {
  await database.transaction(async (tx) => {
    await lock(tx);
    await write(tx, keys);
  });
}
