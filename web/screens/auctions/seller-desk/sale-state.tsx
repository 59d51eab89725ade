import type { OwnProduct } from "#contract/auctions.ts";

/** The buyer of a product. The state of its handover belongs here too. */
export const SaleState = ({ product: { buyer } }: { product: OwnProduct }) => (
  <> · {buyer === null ? "Sold to a former member" : `Sold to ${buyer}, contact details on its page`}</>
);
