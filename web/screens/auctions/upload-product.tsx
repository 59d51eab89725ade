import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Upload Product";
const sentence = "Putting an item up for auction opens here soon.";

export const meta = () => pageMeta(title);

export default function UploadProduct() {
  return <Placeholder title={title} sentence={sentence} />;
}
