import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { Page } from "../../ui/page.tsx";
import { OwnProducts, ownProductsQuery } from "./product-list/own-products.tsx";

export const meta = () => pageMeta("Your products");

export const handle: ScreenHandle = { ask: () => queryClient.prefetchInfiniteQuery(ownProductsQuery) };

/** One's own products, with delete (spec 2, "Product list"). */
export default function ProductList() {
  return (
    <Page title="Your products" lead="What you put up for auction, and how it stands.">
      <OwnProducts />
    </Page>
  );
}
