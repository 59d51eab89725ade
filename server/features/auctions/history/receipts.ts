import { sign } from "node:crypto";
import {
  type HeadSignature,
  headText,
  type MovedLimit,
  movedLimitText,
  type Receipt,
} from "#domain/bid-history.ts";
import type { Keys } from "#server/platform/keys.ts";
import { memoize } from "#server/platform/memoize.ts";

/** Signs texts about histories: heads and moved limits. */
export type ReceiptSigner = (text: string) => Promise<HeadSignature>;

/** Returns the signer with the newest secret's key. It signs in another thread, so that bids go on meanwhile. */
export function createReceiptSigner(keys: Pick<Keys, "signingKeys">): ReceiptSigner {
  const [{ id: keyId, privateKey }] = keys.signingKeys("auctionReceipt");
  return (text) => {
    const { promise, resolve, reject } = Promise.withResolvers<HeadSignature>();
    sign(null, Buffer.from(text), privateKey, (error, signature) =>
      error ? reject(error) : resolve({ keyId, signature: signature.toString("base64") }),
    );
    return promise;
  };
}

/** A receipt before it is signed. */
export type UnsignedReceipt = Omit<Receipt, keyof HeadSignature | "moved"> & { moved: MovedLimit | null };

/** Signs receipts of one batch, each head once. */
export async function signReceipts(
  receipts: readonly (UnsignedReceipt | null)[],
  signText: ReceiptSigner,
): Promise<(Receipt | null)[]> {
  const signHead = memoize(signText);
  return await Promise.all(
    receipts.map(async (receipt) => {
      if (receipt === null) return null;
      const { productId, head, moved } = receipt;
      const ofHead = signHead(headText(productId, head));
      const ofMoved = moved && signText(movedLimitText(receipt, moved));
      return {
        ...receipt,
        ...(await ofHead),
        moved: moved && ofMoved && { ...moved, signature: (await ofMoved).signature },
      };
    }),
  );
}
