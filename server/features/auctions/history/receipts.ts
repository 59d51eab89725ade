import { sign } from "node:crypto";
import {
  type HeadSignature,
  headText,
  type MovedLimit,
  movedLimitText,
  type Receipt,
} from "#domain/bid-history.ts";
import type { Keys } from "#server/platform/keys.ts";

/** Signs texts about histories: heads and moved limits. */
export type ReceiptSigner = (text: string) => HeadSignature;

/** Returns the signer with the newest secret's key. On a busy machine, another thread would cost more than signing. */
export function createReceiptSigner(keys: Pick<Keys, "signingKeys">): ReceiptSigner {
  const [{ id: keyId, privateKey }] = keys.signingKeys("auctionReceipt");
  return (text) => ({ keyId, signature: sign(null, Buffer.from(text), privateKey).toString("base64") });
}

/** A receipt before it is signed. */
export type UnsignedReceipt = Omit<Receipt, keyof HeadSignature | "moved"> & { moved: MovedLimit | null };

/** Signs receipts of one batch, each head once. */
export function signReceipts(
  receipts: readonly (UnsignedReceipt | null)[],
  signText: ReceiptSigner,
): (Receipt | null)[] {
  const heads = new Map<string, HeadSignature>();
  return receipts.map((receipt) => {
    if (receipt === null) return null;
    const { productId, head, moved } = receipt;
    const text = headText(productId, head);
    const headSignature = heads.get(text) ?? signText(text);
    heads.set(text, headSignature);
    const signedMove = moved && { ...moved, signature: signText(movedLimitText(receipt, moved)).signature };
    return { ...receipt, ...headSignature, moved: signedMove };
  });
}
