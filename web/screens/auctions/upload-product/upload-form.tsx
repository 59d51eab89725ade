import { Form } from "../../../ui/form/form.tsx";
import { SubmitButton } from "../../../ui/form/submit-button.tsx";
import { Pictures } from "./pictures.tsx";
import { ProductFields, SaleFields } from "./product-fields.tsx";
import classes from "./upload-form.module.css";
import { usePictures } from "./use-pictures.ts";
import { useUpload } from "./use-upload.ts";

/** Puts a product up for auction. What was typed and chosen stays while the tab lives. */
export function UploadForm({ sellerId }: { sellerId: string }) {
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
