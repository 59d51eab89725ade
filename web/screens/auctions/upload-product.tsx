import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { ItemDraft } from "#contract/selling.ts";
import { auctionTexts } from "#domain/auction.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { draftTexts } from "#domain/item-draft.ts";
import { announce } from "../../lib/announce.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import {
  type ItemTexts,
  itemFields,
  prefill,
  problemIn,
  storedPictures,
  textsOfDraft,
} from "./upload-product/item-form.ts";
import { localDate } from "./upload-product/local-date.ts";
import { dropPictures, type PictureQueue, usePictures } from "./upload-product/picture-queue.ts";
import { Pictures } from "./upload-product/pictures.tsx";
import { Preview } from "./upload-product/preview.tsx";
import { ProductFields, SaleFields } from "./upload-product/product-fields.tsx";
import { SaveDraft } from "./upload-product/save-draft.tsx";
import classes from "./upload-product/upload-form.module.css";

export const meta = () => pageMeta("Upload Product");

/** Uploads each picture once, then the product with them. */
async function upload(texts: ItemTexts, queue: PictureQueue, draftId: string | undefined): Promise<void> {
  const images = await queue.upload();
  try {
    const softClose = texts.softClose !== "off";
    await rpc.auctions.create({ ...texts, endDate: localDate(texts.endDate), softClose, images, draftId });
  } catch (error) {
    // The server has dropped the pictures, so the next submit sends them again.
    if (friendlyError(error).message === auctionTexts.picturesGone) queue.dropUploads();
    throw error;
  }
}

export default function UploadProduct() {
  const viewer = useViewer();
  const [params] = useSearchParams();
  const draftId = params.get("draft");
  return (
    <Page
      narrow
      title="Upload Product"
      lead="Describe your item, add pictures and say when the auction ends. The highest bidder gets it."
    >
      {viewer && draftId === null && <UploadForm sellerId={viewer.id} draft={null} />}
      {viewer && draftId !== null && <DraftForm key={draftId} sellerId={viewer.id} draftId={draftId} />}
    </Page>
  );
}

/** The form with a draft, once that has loaded. */
function DraftForm({ sellerId, draftId }: { sellerId: string; draftId: string }) {
  const { data, error, refetch } = useQuery({
    ...api.auctions.draft.queryOptions({ input: { draftId } }),
    // A text must not change while it is being typed.
    staleTime: Number.POSITIVE_INFINITY,
    // The next visit starts with the draft that is stored then.
    gcTime: 0,
  });
  if (data) return <UploadForm key={data.changedAt.getTime()} sellerId={sellerId} draft={data} />;
  if (error) return <Retry error={error} onRetry={() => void refetch()} />;
  return (
    <Waiting label="Loading your draft">
      <Skeleton h={48} mb={20} />
      <Skeleton h={140} mb={20} />
      <Skeleton h={48} />
    </Waiting>
  );
}

/** Returns the name under which the tab keeps a form's texts and pictures. It changes when the draft is saved. */
const nameOf = (draft: ItemDraft | null): string =>
  draft === null ? "upload product" : `draft ${draft.id} ${draft.changedAt.getTime()}`;

/** Puts a product up for auction. The form keeps its texts and pictures while the tab lives. */
function UploadForm({ sellerId, draft }: { sellerId: string; draft: ItemDraft | null }) {
  const [name] = useState(() => {
    const form = nameOf(draft);
    if (draft !== null) prefill(form, textsOfDraft(draft));
    return form;
  });
  const { queue, state } = usePictures(sellerId, name, storedPictures(draft?.pictures ?? []));
  const navigate = useNavigate();
  /** Drops the form's data, which the server has now, and goes to the list. */
  async function leave(message: string, to: string): Promise<void> {
    dropPictures(name);
    // The draft that this form shows may be gone, so it is not refetched.
    const { own, ownFigures, drafts, list } = api.auctions;
    await Promise.all(
      [own, ownFigures, drafts, list].map((each) => queryClient.invalidateQueries({ queryKey: each.key() })),
    );
    announce(message);
    await navigate(to);
  }
  return (
    <Form
      errorTitle="Upload Error"
      draftName={name}
      fields={itemFields}
      check={(texts) => problemIn(texts, state.items.length)}
      send={async (texts) => {
        await upload(texts, queue, draft?.id);
        await leave(auctionTexts.uploaded, "/product-list");
      }}
    >
      <ProductFields />
      <SaleFields />
      <Pictures queue={queue} state={state} />
      <div className={classes.submit}>
        <SubmitButton busyText="Uploading...">Upload Product</SubmitButton>
        <Preview pictures={state.items} />
        <SaveDraft
          draftId={draft?.id}
          form={name}
          queue={queue}
          onSaved={() => leave(draftTexts.saved, "/product-list?tab=drafts")}
        />
      </div>
    </Form>
  );
}
