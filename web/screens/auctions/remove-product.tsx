import { lazy, Suspense, useState } from "react";
import { whenOnline } from "../../lib/online.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { removalErrorTitle, useRemoveProduct } from "./use-remove-product.ts";

/** Lazy-loaded: only admins are shown it. */
const RemoveAsAdmin = lazy(whenOnline(() => import("./remove-as-admin.tsx")));

export type RemoveProductProps = {
  productId: string;
  productName: string;
  hasBids: boolean;
  /** Somebody else's, by an admin, who gives a reason. */
  asAdmin?: boolean;
};

/** Takes a product off sale, after asking: its seller's button, or an admin's. */
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
  const { remove, busy, failure, clearFailure } = useRemoveProduct();
  return (
    <>
      <Button
        variant="default"
        disabled={busy}
        aria-label={`Delete ${productName}`}
        onClick={() => setAsked(true)}
      >
        {busy ? "Deleting..." : "Delete"}
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
          remove(productId);
        }}
      />
      <ErrorModal title={removalErrorTitle} error={failure} onClose={clearFailure} />
    </>
  );
}
