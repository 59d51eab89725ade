import { Suspense, useRef, useState } from "react";
import { data, isRouteErrorResponse, type ShouldRevalidateFunction } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import { auctionTexts, categoryLabels } from "#domain/auction.ts";
import { friendlyError, hasCode } from "#domain/friendly-error.ts";
import { productTopic } from "#protocol/live-topic.ts";
import { useHydrated } from "../../lib/hydration.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { productQuery, useLiveProduct } from "../../lib/product-state.ts";
import { useLoaded } from "../../lib/use-loaded.ts";
import { useTitle } from "../../lib/use-title.ts";
import { onServer } from "../../load-context.ts";
import { LinkButton } from "../../ui/button.tsx";
import { late, Nothing } from "../../ui/late.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { CrashScreen } from "../crash.tsx";
import type { Route } from "./+types/product.ts";
import { Actions } from "./product/actions.tsx";
import { Details, SellerCard } from "./product/details.tsx";
import { Gallery } from "./product/gallery.tsx";
import { History } from "./product/history.tsx";
import { Panel } from "./product/panel.tsx";
import { productMeta } from "./product/product-meta.ts";
import { Report, type ReportProps } from "./product/report.tsx";
import { useViewerFacts, type ViewerFacts } from "./product/viewer-relation.ts";
import classes from "./product.module.css";

/** Lazy-loaded, because only the seller sees them. */
const SellerTools = late(() => import("./product/seller-tools.tsx"));
/** Lazy-loaded: below everything else. */
const Questions = late(() => import("./product/questions.tsx"));
/** Lazy-loaded: needed once the form is out of sight. */
const BidBar = late(() => import("./product/bid-bar.tsx"), Nothing);

/** Lazy-loaded: needed once the auction is over. */
const Similar = late(() => import("./product/similar.tsx"));

export async function loader({ context, params: { productId } }: Route.LoaderArgs) {
  const missing = () => data(null, { status: 404 });
  if (!productTopic(productId)) throw missing();
  // If this fails, the browser queries again, and shows the error.
  return await context
    .get(onServer)
    .rpc.auctions.product({ productId })
    .catch((error: unknown) => {
      if (hasCode(error, "not-found")) throw missing();
      return null;
    });
}
/** The loader needn't run again for the same product, because the page follows every change live. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentParams, nextParams }) =>
  currentParams["productId"] !== nextParams["productId"];

export const meta = ({ loaderData, error }: Route.MetaArgs) =>
  loaderData ? productMeta(loaderData) : pageMeta(isMissing(error) ? notFoundTitle : "Product");

/** One product, live; public. */
export default function Product({ params: { productId }, loaderData }: Route.ComponentProps) {
  useLoaded(productQuery(productId).queryKey, loaderData);
  // The key resets the state for another product, so that no bids of the last one stay.
  return <LiveProduct key={productId} productId={productId} />;
}

const notFoundTitle = "Product not found";
const isMissing = (error: unknown): boolean => isRouteErrorResponse(error) && error.status === 404;

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) =>
  isMissing(error) ? <NoProduct /> : <CrashScreen error={error} />;

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

/** A product that is on sale, sold or unsold. */
function ProductPage({ product }: { product: ProductState }) {
  const { productName, category, subcategory, grade, pictures } = product;
  const facts = useViewerFacts(product);
  const form = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  const [seenTerms] = useState(product.terms);
  useTitle(productName);
  return (
    <Page title={productName} lead={`${categoryLabels[category]} · ${subcategory} · ${grade}`}>
      {product.terms !== seenTerms && !facts?.isSeller && (
        <div className={classes.notice}>
          <Notice>The seller changed this item while you were here.</Notice>
        </div>
      )}
      <div className={classes.columns}>
        <div className={classes.gallery}>
          <Gallery name={productName} pictures={pictures} />
        </div>
        <div className={classes.panel}>
          <div>
            <Panel product={product} facts={facts} form={form} />
            {facts?.isSeller && (
              <Suspense>
                <SellerTools product={product} />
              </Suspense>
            )}
            <SellerCard product={product} />
            <Actions product={product} />
            <ReportHere product={product} facts={facts} />
          </div>
        </div>
        <div className={classes.rest}>
          <Details product={product} />
          <History product={product} facts={facts} />
          {isHydrated && (
            <Suspense>
              <Questions product={product} isSeller={facts?.isSeller ?? false} />
            </Suspense>
          )}
          {isHydrated && product.state !== "open" && (
            <Suspense>
              <Similar productId={product.id} />
            </Suspense>
          )}
        </div>
      </div>
      {isHydrated && !facts?.isSeller && (
        <Suspense>
          <BidBar product={product} form={form} />
        </Suspense>
      )}
    </Page>
  );
}

type ReportHereProps = { product: ProductState; facts: ViewerFacts | null };

/** Lets a member report the item or its seller, and the seller of a sold item its buyer. */
function ReportHere({ product: { id, seller, winner }, facts }: ReportHereProps) {
  if (!facts || (facts.isSeller && winner === null)) return null;
  const others: ReportProps["subjects"] = seller ? ["product", "seller"] : ["product"];
  return (
    <div className={classes.report}>
      <Report
        productId={id}
        subjects={facts.isSeller ? ["buyer"] : others}
        label={facts.isSeller ? "Report the buyer" : "Report this item"}
      />
    </div>
  );
}

/** Reserves the space of the picture, the bidding and the details until they load. */
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

/** The page of a product that never existed or was taken off sale. */
function NoProduct() {
  useTitle(notFoundTitle);
  return (
    <Page
      title={auctionTexts.notFound}
      lead="It may have been taken off sale, or the link may be incomplete."
    >
      <LinkButton primary to="/auctions">
        See open auctions
      </LinkButton>
    </Page>
  );
}
