import type { OwnProduct } from "#contract/auctions.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { saleWords } from "../sales/sale-words.ts";

/** The buyer of a sold product, and the state of the handover from the seller's view. */
export function SaleState({ product: { buyer, sale } }: { product: OwnProduct }) {
  const sold = buyer === null ? "Sold to a former member." : `Sold to ${buyer}.`;
  if (!sale) return ` · ${sold}`;
  const other = buyer === null ? null : { name: buyer };
  const { state, wait } = saleWords({ ...sale, side: "seller", other }, formatMoment);
  return ` · ${[sold, state, wait].filter(Boolean).join(" ")}`;
}
