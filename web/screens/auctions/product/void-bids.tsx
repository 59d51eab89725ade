import { useState } from "react";
import { auctionLimits } from "#domain/auction.ts";
import { removalReasonProblem } from "#domain/auction-removal.ts";
import { announce } from "../../../lib/announce.ts";
import { rpc } from "../../../lib/rpc.ts";
import { Button } from "../../../ui/button.tsx";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import { refreshSales } from "../sales/sale-acts.tsx";
import type { ViewerFacts } from "./viewer-relation.ts";

type VoidBidsProps = {
  productId: string;
  /** The number of the bid, and its bidder as this viewer sees them. */
  number: number;
  bidder: string;
  /** The facts about the viewer: the seller, who asks for it, or an admin, who does it. */
  facts: ViewerFacts;
};

/**
 * Voids all bids of this bid's bidder, as an admin, or asks for it, as the seller. Nobody decides about themselves: an
 * admin who sells the item asks too, and one who bid on it can do neither.
 */
export default function VoidBids({ productId, number, bidder, facts }: VoidBidsProps) {
  const [opened, setOpened] = useState(false);
  const asAdmin = !facts.isSeller;
  if (facts.ownBid !== null || facts.withdrawn) return null;
  const label = asAdmin ? "Void" : "Ask to void";
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`${label} the bids of ${bidder}, from bid ${number}`}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      <ReasonDialog
        opened={opened}
        title={asAdmin ? "Void bids" : "Ask to void bids"}
        draft={`void ${productId} ${number}`}
        maxLength={auctionLimits.reason}
        check={removalReasonProblem}
        send={async (reason) => {
          if (asAdmin) await rpc.sales.voidBids({ productId, number, reason });
          else await rpc.sales.askToVoid({ productId, number, reason });
          announce(asAdmin ? "The bids were voided." : "An administrator will look at it.");
          await refreshSales();
        }}
        action={{ text: asAdmin ? "Void" : "Ask", busyText: "Sending..." }}
        errorTitle={asAdmin ? "Not voided" : "Not sent"}
        onClose={() => setOpened(false)}
      >
        {asAdmin
          ? `None of ${bidder}'s bids on this item will count any more. Everyone reads this reason in its history.`
          : `Only an administrator can void bids. They read this reason, and you read their answer.`}
      </ReasonDialog>
    </>
  );
}
