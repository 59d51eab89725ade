import type { ListedPage, ProductState, ProductsAsked } from "./auctions.ts";

/** What a page shows before its application runs: the markup, and the picture to fetch ahead of everything else. */
type FirstSight = { markup: string; picture: { srcSet: string; sizes: string } | null };

/**
 * What `web/first-sight/` answers when it is built for the server: the first sight of a screen, made by the same
 * components as in the browser. Times in milliseconds since 1970.
 */
export type FirstSightCode = {
  /** What the page of /auctions asks first, by its query; the first page of that is what `auctions` shows. */
  productsAsked: (search: string) => ProductsAsked;
  auctions: (search: string, page: ListedPage) => FirstSight;
  product: (product: ProductState) => FirstSight;
};
