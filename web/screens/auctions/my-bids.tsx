import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { Page } from "../../ui/page.tsx";
import { MyBidList, myBidsQuery } from "./my-bids/my-bid-list.tsx";

const title = "My bids";

export const meta = () => pageMeta(title);

export const handle: ScreenHandle = { ask: () => queryClient.prefetchInfiniteQuery(myBidsQuery) };

/** What somebody is winning, was outbid on, won and lost (issue "The auction marketplace", closing). */
export default function MyBids() {
  return (
    <Page title={title} lead="What you bid on, and how each bid stands.">
      <MyBidList />
    </Page>
  );
}
