import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Product";
const sentence = "The item, its time left and its bids will show here once auctions open.";

export const meta = () => pageMeta(title, sentence);

export default function Product() {
  return <Placeholder title={title} sentence={sentence} />;
}
