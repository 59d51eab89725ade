import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import type { KeptReceipt } from "#domain/bid-history.ts";
import { type HeadSignature, headText } from "#domain/bid-history.ts";
import { type Crypto, checkHistory } from "#domain/history-check.ts";
import { type Finding, findingsOf } from "#domain/history-findings.ts";
import { linesOf } from "#domain/history-lines.ts";
import { type Combine, rootByInclusion, rootsByConsistency } from "#domain/merkle-tree.ts";

/** Fetches an address of Wayfare. */
type Fetch = (path: string) => Promise<Response>;

const sha256 = (...parts: readonly (Buffer | string)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
const combine: Combine<string> = (left, right) =>
  sha256(Buffer.of(1), Buffer.from(left, "hex"), Buffer.from(right, "hex"));

/** Returns an Ed25519 key from its 32 bytes, which SPKI prefixes with these bytes (RFC 8410). */
const publicKeyOf = (raw: Buffer): KeyObject =>
  createPublicKey({
    key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]),
    format: "der",
    type: "spki",
  });

export const keysForm = z.object({
  receipts: z.array(z.object({ id: z.string(), publicKey: z.string() })),
  log: z.array(z.string()),
});
type PublicKeys = z.infer<typeof keysForm>;

export function cryptoOf({ receipts }: PublicKeys): Crypto {
  const keys = new Map(
    receipts.map(({ id, publicKey }) => [id, publicKeyOf(Buffer.from(publicKey, "base64"))]),
  );
  return {
    sha256: async (text) => sha256(text),
    async verify(text: string, { keyId, signature }: HeadSignature) {
      const key = keys.get(keyId);
      return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
    },
  };
}

export type Checkpoint = { size: number; root: string };

/** Reads a checkpoint (C2SP tlog-checkpoint) that one of these keys has signed; null if none has. */
export function readCheckpoint(note: string, keys: readonly string[]): Checkpoint | null {
  const end = note.indexOf("\n\n");
  const text = note.slice(0, end + 1);
  const signatures = note.slice(end + 2).split("\n");
  const isSigned = keys.some((key) => {
    const [name = "", id = "", ...rest] = key.split("+");
    const publicKey = publicKeyOf(Buffer.from(rest.join("+"), "base64").subarray(1));
    return signatures.some((line) => {
      const bytes = Buffer.from(line.split(" ").at(-1) ?? "", "base64");
      const isOfKey = line.startsWith(`— ${name} `) && bytes.subarray(0, 4).toString("hex") === id;
      return isOfKey && verify(null, Buffer.from(text), publicKey, bytes.subarray(4));
    });
  });
  const [, size = "", root = ""] = text.split("\n");
  if (end < 0 || !isSigned || !/^\d+$/.test(size)) return null;
  return { size: Number(size), root: Buffer.from(root, "base64").toString("hex") };
}

const inclusionForm = z.object({
  leaf: z.object({
    position: z.number(),
    productId: z.string(),
    number: z.number(),
    hash: z.string(),
  }),
  size: z.number(),
  proof: z.array(z.string()),
});
type Inclusion = z.infer<typeof inclusionForm>;

/** Checks that the signed checkpoint has the leaf. */
function isIncluded({ leaf, size, proof }: Inclusion, checkpoint: Checkpoint): boolean {
  const hash = sha256(Buffer.of(0), headText(leaf.productId, leaf));
  return (
    size === checkpoint.size &&
    rootByInclusion({ leaf: leaf.position, size, hash, proof }, combine) === checkpoint.root
  );
}

/** Checks that the log is consistent with an earlier checkpoint. */
async function isConsistent(get: Fetch, earlier: Checkpoint, later: Checkpoint): Promise<Finding> {
  const name = `the checkpoint of ${earlier.size} entries`;
  const broken = { holds: false, text: `The log does not go on from ${name}.` };
  if (earlier.size > later.size) return broken;
  if (earlier.size > 0) {
    const response = await get(`/auctions/log/consistency?from=${earlier.size}&to=${later.size}`);
    const proof = z.object({ proof: z.array(z.string()) }).safeParse(await response.json().catch(() => null));
    if (!proof.success) return broken;
    const tree = { earlier: earlier.size, size: later.size, root: earlier.root, proof: proof.data.proof };
    const roots = rootsByConsistency(tree, combine);
    if (roots?.earlier !== earlier.root || roots.later !== later.root) return broken;
  }
  return { holds: true, text: `The log goes on from ${name}.` };
}

type Target = {
  productId: string;
  receipts?: readonly KeptReceipt[];
  /** An earlier checkpoint, as it was saved. */
  earlier?: string | null;
};

/** Checks a product's history, receipts and the log. Resolves to what holds and what doesn't, and the checkpoint. */
export async function verifyAuction(
  get: Fetch,
  { productId, receipts = [], earlier = null }: Target,
): Promise<{ findings: Finding[]; checkpoint: string | null }> {
  const keys = keysForm.parse(await (await get("/auctions/keys")).json());
  const response = await get("/auctions/checkpoint");
  const note = response.ok ? await response.text() : null;
  const logFindings: Finding[] = [];
  const checkpoint = note === null ? null : readCheckpoint(note, keys.log);
  if (note === null) logFindings.push({ holds: true, text: "There is no checkpoint yet." });
  else if (checkpoint === null)
    logFindings.push({ holds: false, text: "The checkpoint's signature is wrong." });
  if (earlier !== null && checkpoint) {
    const before = readCheckpoint(earlier, keys.log);
    logFindings.push(
      before
        ? await isConsistent(get, before, checkpoint)
        : { holds: false, text: "No present key has signed the earlier checkpoint." },
    );
  }
  const included = checkpoint && (await readInclusion(get, productId));
  if (included && checkpoint)
    logFindings.push(
      isIncluded(included, checkpoint)
        ? {
            holds: true,
            text: `The log has row ${included.leaf.number}, at place ${included.leaf.position}.`,
          }
        : { holds: false, text: "The proof that the log has this history is wrong." },
    );
  else if (checkpoint) logFindings.push({ holds: true, text: "The log has nothing of this item yet." });
  const history = await get(`/auctions/products/${productId}/history`);
  if (!history.ok || history.body === null)
    return { findings: [...logFindings, { holds: false, text: "There is no such item." }], checkpoint: note };
  const logged = included?.leaf ?? null;
  const verdict = await checkHistory(linesOf(history.body), { receipts, logged }, cryptoOf(keys));
  return { findings: [...findingsOf(verdict), ...logFindings], checkpoint: note };
}

async function readInclusion(get: Fetch, productId: string): Promise<Inclusion | null> {
  const response = await get(`/auctions/log/inclusion?product=${productId}`);
  if (response.status === 404) return null;
  const inclusion = inclusionForm.parse(await response.json());
  if (inclusion.leaf.productId !== productId) throw new Error("the log answered for another item");
  return inclusion;
}
