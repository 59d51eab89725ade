import type { OwnProduct } from "#contract/auctions.ts";

/** Who bought a product. Where its handover stands is said here too. */
export const SaleState = ({ product: { buyer } }: { product: OwnProduct }) => (
  <> · {buyer === null ? "Sold to a former member" : `Sold to ${buyer}, contact details on its page`}</>
);
