import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Page } from "../../ui/page.tsx";
import { UploadForm } from "./upload-product/upload-form.tsx";

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
