import { useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import {
  additionLimits,
  additionProblem,
  decideAddition,
  decideEdit,
  editMessages,
  editTexts,
} from "#domain/auction-edit.ts";
import { editProductPath } from "#protocol/addresses.ts";
import { announce } from "../../../lib/announce.ts";
import { rpc } from "../../../lib/rpc.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import dialog from "../../../ui/dialog.module.css";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextAreaField } from "../../../ui/form/fields.tsx";
import { ModalForm } from "../../../ui/modal-form.tsx";
import { SellAgain } from "../seller-desk/sell-again.tsx";
import classes from "./seller-tools.module.css";

/** The seller's actions: editing a product until its first bid, adding to it later, and selling it again. */
export default function SellerTools({ product }: { product: ProductState }) {
  const { id, state, bids, endDate, additions, productName } = product;
  const auction = { state, bidCount: bids.length, endDate: new Date(endDate) };
  const now = new Date(serverNow());
  const edit = decideEdit(auction, true, now);
  const addition = decideAddition({ ...auction, additions: additions.length }, true, now);
  return (
    <section className={classes.tools} aria-label="Your product">
      {edit.kind === "allowed" && (
        <LinkButton size="sm" to={editProductPath(id)}>
          Edit
        </LinkButton>
      )}
      {edit.kind !== "allowed" && addition.kind === "allowed" && <AddToDescription productId={id} />}
      {edit.kind === "hasBids" && addition.kind === "tooMany" && (
        <p className={classes.note}>{editMessages.tooMany}</p>
      )}
      {state !== "open" && <SellAgain productId={id} productName={productName} />}
    </section>
  );
}

function AddToDescription({ productId }: { productId: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Add to the description
      </Button>
      <Dialog opened={isOpen} onClose={close} title="Add to the description">
        <p className={dialog.words}>
          What you add stands below the description with its date, and everyone who has bid is told. It can't
          be changed.
        </p>
        <ModalForm
          errorTitle="Description Error"
          fields={["text"]}
          draftName={`addition ${productId}`}
          check={({ text }) => additionProblem(text)}
          send={async ({ text }) => {
            await rpc.auctions.addToDescription({ productId, text });
            announce(editTexts.added);
          }}
          onDone={close}
          onCancel={close}
          action="Add"
          busyText="Adding..."
        >
          <TextAreaField
            name="text"
            label="What you'd like to add"
            rows={4}
            maxLength={additionLimits.text}
          />
        </ModalForm>
      </Dialog>
    </>
  );
}
