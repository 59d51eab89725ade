import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Your products";
const sentence = "The items that you put up for auction will be listed here.";

export const meta = () => pageMeta(title);

export default function ProductList() {
  return <Placeholder title={title} sentence={sentence} />;
}
