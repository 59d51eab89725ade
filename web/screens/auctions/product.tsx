import { friendlyError } from "#domain/friendly-error.ts";
import { productTopic } from "#domain/live-topic.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { productQuery, takeToldProduct } from "../../lib/product-state.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { useLiveProduct } from "../../lib/use-live-product.ts";
import { FirstSight } from "../../ui/first-sight.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import type { Route } from "./+types/product.ts";
import { loadBidForm } from "./product/bidding.tsx";
import { preloadPicture } from "./product/gallery.tsx";
import { NoProduct } from "./product/no-product.tsx";
import classes from "./product/product-page.module.css";
import { ProductPage } from "./product/product-page.tsx";
import { standingQuery } from "./product/use-standing.ts";

export const meta = () =>
  pageMeta("Product", "An item at auction on Wayfare: its price, its time left and its bids.");

export const handle: ScreenHandle = {
  async ask({ params: { productId = "" }, viewer }) {
    if (!productTopic(productId)) return;
    const product = await queryClient.fetchQuery(productQuery(productId));
    if (!product) return;
    preloadPicture(product.pictures);
    if (viewer)
      await Promise.all([loadBidForm(), queryClient.prefetchQuery(standingQuery(product, viewer.id))]);
  },
  take: takeToldProduct,
};

/** One product, live (spec 2, "Product page"); public. */
export default function Product({ params: { productId } }: Route.ComponentProps) {
  // Another product is another page: nothing of the last one's bids stays.
  return productTopic(productId) ? <LiveProduct key={productId} productId={productId} /> : <NoProduct />;
}

function LiveProduct({ productId }: { productId: string }) {
  const { data: product, error, refetch } = useLiveProduct(productId);
  if (!useHydrated()) return <ProductSkeleton />;
  if (product === null || (error && friendlyError(error).code === "not-found")) return <NoProduct />;
  if (product) return <ProductPage product={product} />;
  if (!error) return <ProductSkeleton />;
  return (
    <Page>
      <Retry error={error} onRetry={() => void refetch()} />
    </Page>
  );
}

/** Holds the place of the picture, the bidding and the details, until they are there. */
const ProductSkeleton = () => (
  <FirstSight>
    <Page>
      <Waiting label="Loading the product">
        <Skeleton h={44} w="min(24rem, 80%)" mb="sm" />
        <Skeleton h={20} w="min(14rem, 60%)" mb="xl" />
        <div className={classes.columns}>
          <Skeleton className={`${classes.gallery} ${classes.waiting}`} />
          <Skeleton className={classes.panel ?? ""} h={320} />
          <Skeleton className={classes.rest ?? ""} h={240} />
        </div>
      </Waiting>
    </Page>
  </FirstSight>
);
