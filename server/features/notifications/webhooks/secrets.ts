import { createHmac, randomBytes } from "node:crypto";
import { and, eq, isNotNull, lte } from "drizzle-orm";
import type { Reader, Transaction } from "#server/platform/database.ts";
import type { Keys, SealState } from "#server/platform/keys.ts";
import { webhookSecret } from "../tables.ts";

const prefix = "whsec_";
const secretBytes = 32;

/** A message of Standard Webhooks. `id` stays the same when it is sent again. */
type Message = { id: string; at: Date; body: string };

/**
 * Creates the secrets of webhooks, and signatures with them as Standard Webhooks describes. Secrets are stored
 * encrypted, with a key derived from the session secret: signing needs the secret itself, so a hash would not do.
 */
export function createWebhookSecrets(keys: Keys) {
  const { seal, open, stateOf } = keys.box("webhookSecretStorage");

  function signature(sealed: string, id: string, seconds: number, body: string): string {
    const key = Buffer.from(open(sealed).slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  }

  return {
    /** Adds a new secret to a webhook; resolves to it in the form that its owner sees. */
    async add(tx: Transaction, webhookId: string): Promise<string> {
      const secret = `${prefix}${randomBytes(secretBytes).toString("base64")}`;
      await tx.insert(webhookSecret).values({ webhookId, sealed: seal(secret) });
      return secret;
    },

    /** Returns the headers of a message, with a signature for each of the secrets. */
    headersOf({ id, at, body }: Message, sealed: readonly string[]): Record<string, string> {
      const seconds = Math.floor(at.getTime() / 1000);
      return {
        "webhook-id": id,
        "webhook-timestamp": String(seconds),
        "webhook-signature": sealed.map((each) => signature(each, id, seconds, body)).join(" "),
      };
    },

    /** Counts the secrets by the session secret that encrypts them. */
    async count(db: Reader): Promise<Record<SealState, number>> {
      const counts = { newest: 0, older: 0, lost: 0 };
      for (const { sealed } of await db.select().from(webhookSecret)) counts[stateOf(sealed)] += 1;
      return counts;
    },

    /** Re-encrypts secrets under the newest session secret, and removes those that no longer sign. */
    async renew(db: Reader, now = new Date()): Promise<void> {
      await db
        .delete(webhookSecret)
        .where(and(isNotNull(webhookSecret.until), lte(webhookSecret.until, now)));
      const all = await db.select().from(webhookSecret);
      for (const { id, sealed } of all.filter((each) => stateOf(each.sealed) === "older"))
        await db
          .update(webhookSecret)
          .set({ sealed: seal(open(sealed)) })
          .where(eq(webhookSecret.id, id));
    },
  };
}
