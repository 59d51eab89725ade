import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { MyBidList } from "./my-bids/my-bid-list.tsx";

const title = "My bids";

export const meta = () => pageMeta(title);

/** What somebody is winning, was outbid on, won and lost (docs/product.md, "My bids"). */
export default function MyBids() {
  return (
    <Page title={title} lead="What you've bid on, and how each bid is doing.">
      <MyBidList />
    </Page>
  );
}
