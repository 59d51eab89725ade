import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server.edge";
import { StaticRouter } from "react-router";
import type { Picture } from "#contract/auctions.ts";
import type { FirstSightCode } from "#contract/first-sight.ts";
import { cardSizes } from "../screens/auctions/find/product-card.tsx";
import { ShownProducts } from "../screens/auctions/find/shown-products.tsx";
import { readView } from "../screens/auctions/find/use-auction-view.ts";
import { productsAsked as asked } from "../screens/auctions/find/use-products.ts";
import { gallerySizes } from "../screens/auctions/product/gallery.tsx";
import { ProductPage } from "../screens/auctions/product/product-page.tsx";
import classes from "../ui/first-sight.module.css";
import { Mantine } from "../ui/mantine.tsx";
import { sourcesOf } from "../ui/product-picture.tsx";

/**
 * Of a visitor about whom nothing is known, as every built page begins. Links lead on already; a button can do nothing
 * yet, and says so.
 */
const markupOf = (path: string, content: ReactNode): string =>
  renderToStaticMarkup(
    <StaticRouter location={path}>
      <QueryClientProvider client={new QueryClient()}>
        <Mantine>
          <fieldset disabled className={classes.buttons}>
            {content}
          </fieldset>
        </Mantine>
      </QueryClientProvider>
    </StaticRouter>,
    // The page that it is put into names its elements too.
    { identifierPrefix: "sight" },
  );

const pictureOf = (picture: Picture | null | undefined, sizes: string) =>
  picture ? { srcSet: sourcesOf(picture, "webp"), sizes } : null;

const viewOf = (search: string) => readView(new URLSearchParams(search));
const nothing = () => {};

export const productsAsked: FirstSightCode["productsAsked"] = (search) => asked(viewOf(search));

export const auctions: FirstSightCode["auctions"] = (search, { products, next }) => ({
  markup: markupOf(
    "/auctions",
    <ShownProducts
      view={viewOf(search)}
      onChange={nothing}
      products={products}
      isBusy={false}
      more={next === null ? "none" : "there"}
      onMore={nothing}
    />,
  ),
  picture: pictureOf(products[0]?.picture, cardSizes),
});

export const product: FirstSightCode["product"] = (shown) => ({
  markup: markupOf(`/product/${shown.id}`, <ProductPage product={shown} />),
  picture: pictureOf(shown.pictures[0], gallerySizes),
});
