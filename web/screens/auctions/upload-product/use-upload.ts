import { useNavigate } from "react-router";
import { auctionTexts, checkProduct } from "#domain/auction.ts";
import { announce } from "../../../lib/announce.ts";
import { type Draft, draftOf, dropDraft, keepDraft } from "../../../lib/drafts.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { failureOf } from "../../../ui/failure.ts";
import { localDate } from "./local-date.ts";
import type { PictureQueue } from "./picture-queue.ts";

const draft = "upload product";
const fields = [
  "productName",
  "description",
  "startingBid",
  "category",
  "subcategory",
  "grade",
  "handover",
  "endDate",
] as const;
/** The upload form's texts; `endDate` as its input has it. */
export type ProductTexts = Record<(typeof fields)[number], string>;

const empty: ProductTexts = {
  productName: "",
  description: "",
  startingBid: "",
  category: "",
  subcategory: "",
  grade: "",
  handover: "",
  endDate: "",
};

/** What is wrong before anything is sent. Whether the end is in reach, the server's clock alone decides. */
function problemIn(typed: ProductTexts, images: number) {
  const form = { ...typed, endDate: localDate(typed.endDate), images };
  const checked = checkProduct(form, new Date(serverNow()));
  return "code" in checked && checked.message !== auctionTexts.endDate ? checked : null;
}

/** The pictures first, each once; then the product with them. */
async function upload(typed: ProductTexts, queue: PictureQueue): Promise<void> {
  const images = await queue.upload();
  try {
    await rpc.auctions.create({ ...typed, endDate: localDate(typed.endDate), images });
  } catch (error) {
    // They are gone on the server: chosen again means sent again.
    if (failureOf(error).message === auctionTexts.picturesGone) queue.dropUploads();
    throw error;
  }
}

/** The upload form: what was typed before, its checks, and its way to the server. */
export function useUpload(queue: PictureQueue) {
  const navigate = useNavigate();
  const typed: ProductTexts = { ...empty, ...(draftOf(draft) satisfies Draft<keyof ProductTexts>) };
  return {
    typed,
    plan: {
      fields,
      onEdit: (now: ProductTexts) => keepDraft(draft, now, empty, fields),
      check: (now: ProductTexts) => problemIn(now, queue.get().items.length),
      async send(now: ProductTexts) {
        await upload(now, queue);
        dropDraft(draft);
        queue.clear();
        await queryClient.invalidateQueries({ queryKey: api.auctions.key() });
        announce(auctionTexts.uploaded);
        await navigate("/product-list");
      },
    },
  };
}
