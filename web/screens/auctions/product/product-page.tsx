import { lazy, Suspense, useRef } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { categoryLabels } from "#domain/auction.ts";
import { useHydrated } from "../../../lib/hydration.ts";
import { whenOnline } from "../../../lib/online.ts";
import { Page } from "../../../ui/page.tsx";
import { Details } from "./details.tsx";
import { Gallery } from "./gallery.tsx";
import { History } from "./history.tsx";
import { Panel } from "./panel.tsx";
import classes from "./product-page.module.css";
import { SellerCard } from "./seller-card.tsx";
import { useStanding } from "./use-standing.ts";
import { useTitle } from "./use-title.ts";

/** Loaded apart: it is needed once the form is out of sight. */
const BidBar = lazy(whenOnline(() => import("./bid-bar.tsx")));

/** A product that is there: on sale, sold or unsold. */
export function ProductPage({ product }: { product: ProductState }) {
  const { productName, category, subcategory, grade, pictures } = product;
  const standing = useStanding(product);
  const form = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  useTitle(productName);
  return (
    <Page title={productName} lead={`${categoryLabels[category]} · ${subcategory} · ${grade}`}>
      <div className={classes.columns}>
        <div className={classes.gallery}>
          <Gallery name={productName} pictures={pictures} />
        </div>
        <div className={classes.panel}>
          <div>
            <Panel product={product} standing={standing} form={form} />
            <SellerCard product={product} />
          </div>
        </div>
        <div className={classes.rest}>
          <Details product={product} />
          <History product={product} standing={standing} />
        </div>
      </div>
      {isHydrated && !standing?.isSeller && (
        <Suspense>
          <BidBar product={product} form={form} />
        </Suspense>
      )}
    </Page>
  );
}
