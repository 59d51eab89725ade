import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { auctionTexts } from "#domain/auction.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { whenOnline } from "../../lib/online.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";

/** Lazy-loaded, because only admins see it. */
const RemoveAsAdmin = lazy(whenOnline(() => import("./remove-as-admin.tsx")));

export type RemoveProductProps = {
  productId: string;
  productName: string;
  hasBids: boolean;
  /** Whether an admin removes somebody else's product, which requires a reason. */
  asAdmin?: boolean;
};

export const removalErrorTitle = "Product Error";

const askAgain = () => queryClient.invalidateQueries({ queryKey: api.auctions.key() });

/**
 * Takes a product off sale, announces it and refetches. Fails with 'Failed to delete product.' and the reason behind
 * it.
 */
export async function removeProduct(productId: string, reason: string): Promise<void> {
  try {
    await rpc.auctions.remove({ productId, reason });
  } catch (error) {
    const { code, message } = friendlyError(error);
    throw Object.assign(new Error(`${auctionTexts.notDeleted} ${message}`), { code });
  }
  announce(auctionTexts.deleted);
  await askAgain();
}

/** The button that takes a product off sale, after a confirmation; for its seller or an admin. */
export function RemoveProduct({ asAdmin = false, ...product }: RemoveProductProps) {
  if (!asAdmin) return <SellersButton {...product} />;
  return (
    <Suspense>
      <RemoveAsAdmin {...product} />
    </Suspense>
  );
}

function SellersButton({ productId, productName, hasBids }: RemoveProductProps) {
  const [asked, setAsked] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => removeProduct(productId, ""),
  });
  return (
    <>
      <Button
        variant="default"
        disabled={isPending}
        aria-label={`Delete ${productName}`}
        onClick={() => setAsked(true)}
      >
        {isPending ? "Deleting..." : "Delete"}
      </Button>
      <ConfirmModal
        question={
          asked
            ? {
                title: "Delete product",
                text: `${productName} will be taken off sale${hasBids ? " and its bidders will be notified" : ""}. This can't be undone.`,
                action: "Delete",
              }
            : null
        }
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          mutate();
        }}
      />
      <ErrorModal
        title={removalErrorTitle}
        error={error}
        onClose={() => {
          reset();
          // The product may be gone already. Refetching waits until the message was read, because the message would go
          // with it.
          void askAgain();
        }}
      />
    </>
  );
}
