import { useState } from "react";
import { auctionLimits } from "#domain/auction.ts";
import { removalReasonProblem } from "#domain/auction-removal.ts";
import { Button } from "../../ui/button.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { type RemoveProductProps, removalErrorTitle, removeProduct } from "./product-removal.ts";

/** Takes another person's product off sale as an admin, with a reason. */
export default function RemoveAsAdmin({ productId, productName }: RemoveProductProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Remove as admin
      </Button>
      <ReasonDialog
        opened={opened}
        title="Remove product"
        draft={`remove product ${productId}`}
        maxLength={auctionLimits.reason}
        check={removalReasonProblem}
        send={(reason) => removeProduct(productId, reason)}
        action={{ text: "Remove", busyText: "Removing..." }}
        errorTitle={removalErrorTitle}
        onClose={() => setOpened(false)}
      >
        {productName} will be taken off sale. The seller and bidders will see this reason.
      </ReasonDialog>
    </>
  );
}
