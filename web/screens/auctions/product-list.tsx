import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { OwnProducts } from "./product-list/own-products.tsx";

export const meta = () => pageMeta("Your products");

/** One's own products, with delete. */
export default function ProductList() {
  return (
    <Page title="Your products" lead="What you've put up for auction, and how it's going.">
      <OwnProducts />
    </Page>
  );
}
