import { useMutation } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { late } from "../../ui/late.tsx";
import {
  type RemoveProductProps,
  refreshAuctions,
  removalErrorTitle,
  removeProduct,
} from "./product-removal.ts";

/** Lazy-loaded, because only admins see it. */
const RemoveAsAdmin = late(() => import("./remove-as-admin.tsx"));

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
  const [isAsked, setAsked] = useState(false);
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
          isAsked
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
          // The product may be gone already. Refetching waits until the message was read, because it would remove the
          // message too.
          void refreshAuctions();
        }}
      />
    </>
  );
}
