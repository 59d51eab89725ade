import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "My bids";
const sentence = "The auctions that you bid on, and who is winning, will be listed here.";

export const meta = () => pageMeta(title);

export default function MyBids() {
  return <Placeholder title={title} sentence={sentence} />;
}
