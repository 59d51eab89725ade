import { lazy, Suspense, useState } from "react";
import { late } from "../../lib/late-code.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { removalErrorTitle, useRemoveProduct } from "./use-remove-product.ts";

/** Loaded apart: only admins are shown it. */
const RemoveAsAdmin = lazy(late(() => import("./remove-as-admin.tsx")));

export type RemoveProductProps = {
  productId: string;
  productName: string;
  /** Somebody else's, by an admin, who gives a reason. */
  asAdmin?: boolean;
  onRemoved?: () => void;
};

/** Takes a product off sale, after asking: its seller's button, or an admin's (product decisions, "Delete"). */
export function RemoveProduct({ asAdmin = false, ...product }: RemoveProductProps) {
  if (!asAdmin) return <SellersButton {...product} />;
  return (
    <Suspense>
      <RemoveAsAdmin {...product} />
    </Suspense>
  );
}

function SellersButton({ productId, productName, onRemoved }: RemoveProductProps) {
  const [asked, setAsked] = useState(false);
  const { remove, busy, failure, forget } = useRemoveProduct(onRemoved);
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
                text: `${productName} goes off sale, and whoever bid on it is told. This can't be undone.`,
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
      <ErrorModal title={removalErrorTitle} error={failure} onClose={forget} />
    </>
  );
}
