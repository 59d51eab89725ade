import { useEffect } from "react";
import { data, isRouteErrorResponse, type ShouldRevalidateFunction } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { productTopic } from "#domain/live-topic.ts";
import { readHint } from "../../lib/hint.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { productQuery } from "../../lib/product-state.ts";
import { useLiveProduct } from "../../lib/use-live-product.ts";
import { useLoaded } from "../../lib/use-loaded.ts";
import { onServer } from "../../load-context.ts";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { CrashScreen } from "../crash.tsx";
import type { Route } from "./+types/product.ts";
import { loadBidForm } from "./product/bidding.tsx";
import { NoProduct } from "./product/no-product.tsx";
import { productMeta } from "./product/product-meta.ts";
import classes from "./product/product-page.module.css";
import { ProductPage } from "./product/product-page.tsx";

export async function loader({ context, params: { productId } }: Route.LoaderArgs) {
  const missing = () => data(null, { status: 404 });
  if (!productTopic(productId)) throw missing();
  // Without an answer the browser asks, and says what is wrong.
  const product = await context
    .get(onServer)
    .product(productId.toLowerCase())
    .catch(() => undefined);
  if (product === null) throw missing();
  return product ?? null;
}
/** The tab hears of every change live. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentParams, nextParams }) =>
  currentParams["productId"] !== nextParams["productId"];

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? productMeta(loaderData) : pageMeta("Product");

/** One product, live; public. */
export default function Product({ params: { productId }, loaderData }: Route.ComponentProps) {
  useLoaded(productQuery(productId).queryKey, loaderData);
  useEffect(() => {
    // Beside the question who is asking, and not after its answer.
    if (readHint()) void loadBidForm().catch(() => {});
  }, []);
  // Another product is another page: nothing of the last one's bids stays.
  return <LiveProduct key={productId} productId={productId} />;
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) =>
  isRouteErrorResponse(error) && error.status === 404 ? <NoProduct /> : <CrashScreen error={error} />;

function LiveProduct({ productId }: { productId: string }) {
  const { data: product, error, refetch } = useLiveProduct(productId);
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
  <Page>
    <Waiting label="Loading the product">
      <Skeleton h={44} w="min(24rem, 80%)" mb={12} />
      <Skeleton h={20} w="min(14rem, 60%)" mb={32} />
      <div className={classes.columns}>
        <Skeleton className={`${classes.gallery} ${classes.waiting}`} />
        <Skeleton className={classes.panel ?? ""} h={320} />
        <Skeleton className={classes.rest ?? ""} h={240} />
      </div>
    </Waiting>
  </Page>
);
