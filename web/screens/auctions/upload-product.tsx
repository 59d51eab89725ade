import { useNavigate } from "react-router";
import { auctionTexts, checkProduct } from "#domain/auction.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Page } from "../../ui/page.tsx";
import { localDate } from "./upload-product/local-date.ts";
import { type PictureQueue, usePictures } from "./upload-product/picture-queue.ts";
import { Pictures } from "./upload-product/pictures.tsx";
import { ProductFields, SaleFields } from "./upload-product/product-fields.tsx";
import classes from "./upload-product/upload-form.module.css";

export const meta = () => pageMeta("Upload Product");

const fields = [
  "productName",
  "description",
  "startingBid",
  "category",
  "subcategory",
  "grade",
  "handover",
  "endDate",
  "softClose",
] as const;
/** The form's texts; `endDate` is in its input's format, `softClose` "on" or "off". */
type ProductTexts = Record<(typeof fields)[number], string>;

/**
 * Checks the form before anything is sent. Only the server's clock decides whether the end date is within its limits.
 */
function problemIn(typed: ProductTexts, images: number) {
  const form = { ...typed, endDate: localDate(typed.endDate), softClose: typed.softClose === "on", images };
  const checked = checkProduct(form, new Date(serverNow()));
  return "code" in checked && checked.message !== auctionTexts.endDate ? checked : null;
}

/** Uploads each picture once, then the product with them. */
async function upload(typed: ProductTexts, queue: PictureQueue): Promise<void> {
  const images = await queue.upload();
  try {
    const softClose = typed.softClose === "on";
    await rpc.auctions.create({ ...typed, endDate: localDate(typed.endDate), softClose, images });
  } catch (error) {
    // The server has dropped the pictures, so the next submit sends them again.
    if (friendlyError(error).message === auctionTexts.picturesGone) queue.dropUploads();
    throw error;
  }
}

export default function UploadProduct() {
  const viewer = useViewer();
  return (
    <Page
      narrow
      title="Upload Product"
      lead="Describe your item, add pictures and say when the auction ends. The highest bidder gets it."
    >
      {viewer && <UploadForm sellerId={viewer.id} />}
    </Page>
  );
}

/** Puts a product up for auction. The form keeps its texts and pictures while the tab lives. */
function UploadForm({ sellerId }: { sellerId: string }) {
  const { queue, state } = usePictures(sellerId);
  const navigate = useNavigate();
  return (
    <Form
      errorTitle="Upload Error"
      draftName="upload product"
      fields={fields}
      check={(typed) => problemIn(typed, state.items.length)}
      send={async (typed) => {
        await upload(typed, queue);
        queue.clear();
        await queryClient.invalidateQueries({ queryKey: api.auctions.key() });
        announce(auctionTexts.uploaded);
        await navigate("/product-list");
      }}
    >
      <ProductFields />
      <SaleFields />
      <Pictures queue={queue} state={state} />
      <div className={classes.submit}>
        <SubmitButton busyText="Uploading...">Upload Product</SubmitButton>
      </div>
    </Form>
  );
}
