import { createHash, sign } from "node:crypto";
import type { Keys, SigningKey } from "#server/platform/keys.ts";

/** Returns the log's name in its checkpoints and keys: an address without its scheme. */
const logOrigin = (baseUrl: string): string => `${new URL(baseUrl).host}/auctions`;

/** The byte that marks Ed25519 in keys of signed notes. */
const ed25519 = Buffer.of(1);

/** Returns the four bytes that identify a key in a signed note. */
const noteKeyId = (origin: string, { publicKey }: SigningKey): Buffer =>
  createHash("sha256").update(`${origin}\n`).update(ed25519).update(publicKey).digest().subarray(0, 4);

/** Returns a key in the format that verifiers of signed notes read. */
const verifierKey = (origin: string, key: SigningKey): string =>
  [
    origin,
    noteKeyId(origin, key).toString("hex"),
    Buffer.concat([ed25519, key.publicKey]).toString("base64"),
  ].join("+");

/**
 * Writes a checkpoint of the log in C2SP's tlog-checkpoint format: a note signed with all current secrets, so that
 * verifiers who know only an older key can continue.
 */
export function checkpoint(
  keys: Pick<Keys, "signingKeys">,
  baseUrl: string,
  { size, root }: { size: number; root: Buffer },
): string {
  const origin = logOrigin(baseUrl);
  const text = `${origin}\n${size}\n${root.toString("base64")}\n`;
  const signatures = keys.signingKeys("auctionLog").map((key) => {
    const signature = sign(null, Buffer.from(text), key.privateKey);
    return `— ${origin} ${Buffer.concat([noteKeyId(origin, key), signature]).toString("base64")}\n`;
  });
  return `${text}\n${signatures.join("")}`;
}

/** Returns the public keys of all current secrets, newest first, for receipts and for the log's checkpoints. */
export function publicKeys(keys: Pick<Keys, "signingKeys">, baseUrl: string) {
  const origin = logOrigin(baseUrl);
  return {
    receipts: keys.signingKeys("auctionReceipt").map(({ id, publicKey }) => ({
      id,
      publicKey: publicKey.toString("base64"),
    })),
    log: keys.signingKeys("auctionLog").map((key) => verifierKey(origin, key)),
  };
}
