import { auctionTexts } from "#domain/auction.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";

export type RemoveProductProps = {
  productId: string;
  productName: string;
  hasBids: boolean;
  /** Whether an admin removes another person's product, which requires a reason. */
  asAdmin?: boolean;
};

export const removalErrorTitle = "Product Error";

export const refreshAuctions = () => queryClient.invalidateQueries({ queryKey: api.auctions.key() });

/** Takes a product off sale, announces it and refetches. Fails with 'Failed to delete product.' and the reason. */
export async function removeProduct(productId: string, reason: string): Promise<void> {
  try {
    await rpc.auctions.remove({ productId, reason });
  } catch (error) {
    const { code, message } = friendlyError(error);
    throw Object.assign(new Error(`${auctionTexts.notDeleted} ${message}`), { code });
  }
  announce(auctionTexts.deleted);
  await refreshAuctions();
}
