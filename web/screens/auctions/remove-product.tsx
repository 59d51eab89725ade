import { Text } from "@mantine/core";
import { useState } from "react";
import { auctionLimits } from "#domain/auction.ts";
import { removalReasonProblem } from "#domain/auction-removal.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import { removeProduct, useRemoveProduct } from "./use-remove-product.ts";

type RemoveProductProps = {
  productId: string;
  productName: string;
  /** Somebody else's, by an admin, who gives a reason. */
  asAdmin?: boolean;
  onRemoved?: () => void;
};

const errorTitle = "Product Error";

/** Takes a product off sale, after asking: its seller's button, or an admin's (product decisions, "Delete"). */
export function RemoveProduct({ asAdmin = false, ...product }: RemoveProductProps) {
  return asAdmin ? <AdminsButton {...product} /> : <SellersButton {...product} />;
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
      <ErrorModal title={errorTitle} error={failure} onClose={forget} />
    </>
  );
}

const fields = ["reason"] as const;

function AdminsButton({ productId, productName, onRemoved }: RemoveProductProps) {
  const [opened, setOpened] = useState(false);
  const draft = `remove product ${productId}`;
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Remove as admin
      </Button>
      <Dialog opened={opened} onClose={close} title="Remove product">
        <Text mb="md">{productName} goes off sale. The seller and whoever bid on it read the reason.</Text>
        <Form
          errorTitle={errorTitle}
          fields={fields}
          check={({ reason }) => removalReasonProblem(reason)}
          onEdit={(typed) => keepDraft(draft, typed, { reason: "" }, fields)}
          send={async ({ reason }) => {
            await removeProduct(productId, reason);
            dropDraft(draft);
            close();
            onRemoved?.();
          }}
        >
          <TextAreaField
            name="reason"
            label="Reason"
            rows={4}
            maxLength={auctionLimits.reason}
            defaultValue={draftOf<"reason">(draft).reason ?? ""}
          />
          <DialogActions>
            <Button variant="default" size="md" onClick={close}>
              Cancel
            </Button>
            <SubmitButton busyText="Removing...">Remove</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
