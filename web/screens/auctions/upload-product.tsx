import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Pictures } from "./upload-product/pictures.tsx";
import { ProductFields, SaleFields } from "./upload-product/product-fields.tsx";
import classes from "./upload-product/upload-form.module.css";
import { usePictures } from "./upload-product/use-pictures.ts";
import { useUpload } from "./upload-product/use-upload.ts";

export const meta = () => pageMeta("Upload Product");

/** An item is put up for auction here. */
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

/** Puts a product up for auction. What was typed and chosen stays while the tab lives. */
function UploadForm({ sellerId }: { sellerId: string }) {
  const { queue, state } = usePictures(sellerId);
  const { typed, plan } = useUpload(queue);
  return (
    <Form errorTitle="Upload Error" {...plan}>
      <ProductFields typed={typed} />
      <SaleFields typed={typed} />
      <Pictures queue={queue} state={state} />
      <div className={classes.submit}>
        <SubmitButton busyText="Uploading...">Upload Product</SubmitButton>
      </div>
    </Form>
  );
}
