import { sign } from "node:crypto";
import { type Head, type HeadSignature, headText, type Receipt } from "#domain/bid-history.ts";
import type { Keys } from "#server/platform/keys.ts";

/** Signs heads of histories, for receipts and for whoever reads a history. */
export type HeadSigner = (productId: string, head: Head) => Promise<HeadSignature>;

/** Returns the signer with the newest secret's key. It signs in another thread, so that bids go on meanwhile. */
export function createHeadSigner(keys: Pick<Keys, "signingKeys">): HeadSigner {
  const [{ id: keyId, privateKey }] = keys.signingKeys("auctionReceipt");
  return (productId, head) => {
    const { promise, resolve, reject } = Promise.withResolvers<HeadSignature>();
    sign(null, Buffer.from(headText(productId, head)), privateKey, (error, signature) =>
      error ? reject(error) : resolve({ keyId, signature: signature.toString("base64") }),
    );
    return promise;
  };
}

/** A receipt before it is signed. */
export type UnsignedReceipt = Omit<Receipt, keyof HeadSignature>;

/** Signs receipts of one batch, each head once. */
export async function signReceipts(
  receipts: readonly (UnsignedReceipt | null)[],
  signHead: HeadSigner,
): Promise<(Receipt | null)[]> {
  const signatures = new Map<string, Promise<HeadSignature>>();
  return await Promise.all(
    receipts.map(async (receipt) => {
      if (receipt === null) return null;
      const { productId, head } = receipt;
      const text = headText(productId, head);
      const signature = signatures.get(text) ?? signHead(productId, head);
      signatures.set(text, signature);
      return { ...receipt, ...(await signature) };
    }),
  );
}
