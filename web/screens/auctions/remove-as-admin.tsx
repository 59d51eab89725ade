import { useState } from "react";
import { auctionLimits } from "#domain/auction.ts";
import { removalReasonProblem } from "#domain/auction-removal.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { Button } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import type { RemoveProductProps } from "./remove-product.tsx";
import { removalErrorTitle, removeProduct } from "./use-remove-product.ts";

const fields = ["reason"] as const;

/** An admin takes somebody's product off sale, with a reason. */
export default function RemoveAsAdmin({ productId, productName, onRemoved }: RemoveProductProps) {
  const [opened, setOpened] = useState(false);
  const draft = `remove product ${productId}`;
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Remove as admin
      </Button>
      <Dialog opened={opened} onClose={close} title="Remove product">
        <p className={classes.lead}>
          {productName} will be taken off sale. The seller and bidders will see this reason.
        </p>
        <Form
          errorTitle={removalErrorTitle}
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
