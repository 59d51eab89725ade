import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Auctions";
const sentence = "Open auctions will be listed here soon, to search and to bid on.";

export const meta = () => pageMeta(title, sentence);

export default function Auctions() {
  return <Placeholder title={title} sentence={sentence} />;
}
