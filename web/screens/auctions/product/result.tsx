import type { ProductState } from "#contract/auctions.ts";
import type { MyStanding } from "./my-standing.ts";
import classes from "./panel.module.css";

/** What came of an auction that has ended, in a sentence. `open`: it is settled within seconds. */
function sentence(state: ProductState["state"], mine: MyStanding): string {
  if (state === "open") return "We’re confirming the result…";
  if (state === "unsold") return "This auction ended without a sale.";
  if (mine === "won") return "It’s yours. Contact the seller to arrange payment and delivery.";
  return mine === "seller"
    ? "This item has been sold. Contact the buyer to arrange payment and delivery."
    : "This item has been sold.";
}

type ResultProps = { state: ProductState["state"]; mine: MyStanding };

export const Result = ({ state, mine }: ResultProps) => (
  <p className={classes.result}>{sentence(state, mine)}</p>
);
