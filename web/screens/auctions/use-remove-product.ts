import { useMutation } from "@tanstack/react-query";
import { auctionTexts } from "#domain/auction.ts";
import { type FriendlyError, friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";

export const removalErrorTitle = "Product Error";

/** 'Failed to delete product.', with the reason behind it. */
class NotDeleted extends Error {
  readonly code: string | null;
  constructor({ code, message }: FriendlyError) {
    super(`${auctionTexts.notDeleted} ${message}`);
    this.code = code;
  }
}

const askAgain = () => queryClient.invalidateQueries({ queryKey: api.auctions.key() });

/** Takes a product off sale, says so and refetches. */
export async function removeProduct(productId: string, reason: string): Promise<void> {
  try {
    await rpc.auctions.remove({ productId, reason });
  } catch (error) {
    throw new NotDeleted(friendlyError(error));
  }
  announce(auctionTexts.deleted);
  await askAgain();
}

/** The same for a button without a form. */
export function useRemoveProduct() {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (productId: string) => removeProduct(productId, ""),
  });
  return {
    remove: mutate,
    busy: isPending,
    failure: error && friendlyError(error),
    /** It may be gone already; asked only once the message was read, which would go with it. */
    clearFailure() {
      reset();
      void askAgain();
    },
  };
}
