import { useState } from "react";
import { useNavigate } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import { auctionTexts, isCategory, isGrade } from "#domain/auction.ts";
import { decideEdit, editMessages, editTexts } from "#domain/auction-edit.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { productPath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useLiveProduct } from "../../lib/product-state.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { useViewer } from "../../lib/viewer.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import type { Route } from "./+types/edit-product.ts";
import { useViewerFacts } from "./product/viewer-relation.ts";
import {
  changesOf,
  type ItemTexts,
  itemFields,
  prefill,
  problemIn,
  storedPictures,
  textsOfProduct,
} from "./upload-product/item-form.ts";
import { dropPictures, type PictureQueue, usePictures } from "./upload-product/picture-queue.ts";
import { Pictures } from "./upload-product/pictures.tsx";
import { Preview } from "./upload-product/preview.tsx";
import { ProductFields, SaleFields } from "./upload-product/product-fields.tsx";
import classes from "./upload-product/upload-form.module.css";

const title = "Edit product";

export const meta = () => pageMeta(title);

/** Lets sellers change their product until its first bid. */
export default function EditProduct({ params: { productId } }: Route.ComponentProps) {
  const { data: product, error, refetch } = useLiveProduct(productId);
  return (
    <Page narrow title={title} lead="You can change everything until somebody bids.">
      {product && <Editing key={productId} product={product} />}
      {product === undefined && !error && (
        <Waiting label="Loading the product">
          <Skeleton h={48} mb={20} />
          <Skeleton h={140} mb={20} />
          <Skeleton h={48} />
        </Waiting>
      )}
      {product === null && <Notice>{auctionTexts.notFound}</Notice>}
      {product === undefined && error && <Retry error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Editing({ product }: { product: ProductState }) {
  const viewer = useViewer();
  const facts = useViewerFacts(product);
  const { state, bids, endDate } = product;
  if (!viewer || !facts) return null;
  const auction = { state, bidCount: bids.length, endDate: new Date(endDate) };
  const outcome = decideEdit(auction, facts.isSeller, new Date(serverNow()));
  if (outcome.kind === "notFound") return <Notice>{auctionTexts.notFound}</Notice>;
  if (outcome.kind !== "allowed")
    return (
      <div className={classes.notice}>
        <Notice action={<LinkButton to={productPath(product.id)}>See the item</LinkButton>}>
          {editMessages[outcome.kind]}
        </Notice>
      </div>
    );
  return <EditForm sellerId={viewer.id} shown={product} />;
}

/** Uploads new pictures, then the changes. */
async function save(texts: ItemTexts, queue: PictureQueue, product: ProductState): Promise<void> {
  const images = await queue.upload();
  const { category, grade } = texts;
  try {
    await rpc.auctions.edit({
      productId: product.id,
      ...changesOf(texts, product),
      ...(isCategory(category) && { category }),
      ...(isGrade(grade) && { grade }),
      images,
    });
  } catch (error) {
    if (friendlyError(error).message === auctionTexts.picturesGone) queue.dropUploads();
    throw error;
  }
}

/** The upload form with the product as it was when the form was opened, so that nothing changes while editing. */
function EditForm({ sellerId, shown }: { sellerId: string; shown: ProductState }) {
  const [product] = useState(shown);
  const [name] = useState(() => {
    const form = `edit ${product.id} ${product.terms}`;
    prefill(form, textsOfProduct(product));
    return form;
  });
  const { queue, state } = usePictures(sellerId, name, storedPictures(product.pictures));
  const navigate = useNavigate();
  return (
    <Form
      errorTitle="Edit Error"
      draftName={name}
      fields={itemFields}
      check={(texts) => problemIn(texts, state.items.length)}
      send={async (texts) => {
        await save(texts, queue, product);
        announce(editTexts.saved);
        await navigate(productPath(product.id));
        dropPictures(name);
        void queryClient.invalidateQueries({ queryKey: api.auctions.key() });
      }}
    >
      <ProductFields />
      <SaleFields />
      <Pictures queue={queue} state={state} />
      <div className={classes.submit}>
        <SubmitButton busyText="Saving...">Save changes</SubmitButton>
        <Preview pictures={state.items} listing={product} />
        <LinkButton to={productPath(product.id)}>Cancel</LinkButton>
      </div>
    </Form>
  );
}
