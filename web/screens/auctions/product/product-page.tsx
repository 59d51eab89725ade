import type { ProductState } from "#contract/auctions.ts";
import { categoryLabels } from "#domain/auction.ts";
import { Page } from "../../../ui/page.tsx";
import { Details } from "./details.tsx";
import { Gallery } from "./gallery.tsx";
import { History } from "./history.tsx";
import { Panel } from "./panel.tsx";
import classes from "./product-page.module.css";
import { useStanding } from "./use-standing.ts";
import { useTitle } from "./use-title.ts";

/** A product that is there: on sale, sold or unsold. */
export function ProductPage({ product }: { product: ProductState }) {
  const { productName, category, subcategory, grade, pictures } = product;
  const standing = useStanding(product);
  useTitle(productName);
  return (
    <Page title={productName} lead={`${categoryLabels[category]} · ${subcategory} · ${grade}`}>
      <div className={classes.columns}>
        <div className={classes.gallery}>
          <Gallery name={productName} pictures={pictures} />
        </div>
        <div className={classes.panel}>
          <Panel product={product} standing={standing} />
        </div>
        <div className={classes.rest}>
          <Details product={product} />
          <History product={product} standing={standing} />
        </div>
      </div>
    </Page>
  );
}
