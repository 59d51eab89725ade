import type { ProductState } from "#contract/auctions.ts";
import type { MyStanding } from "./my-standing.ts";
import classes from "./panel.module.css";

/** What came of an auction that has ended, in a sentence. `open`: it is settled within seconds. */
function sentence(state: ProductState["state"], mine: MyStanding): string {
  if (state === "open") return "The result will be here in a moment.";
  if (state === "unsold") return "It ended without a sale.";
  if (mine === "won") return "It is yours. Arrange payment and delivery with the seller.";
  return mine === "seller" ? "It is sold. Arrange payment and delivery with the buyer." : "It is sold.";
}

type ResultProps = { state: ProductState["state"]; mine: MyStanding };

export const Result = ({ state, mine }: ResultProps) => (
  <p className={classes.result}>{sentence(state, mine)}</p>
);
