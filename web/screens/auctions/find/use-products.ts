import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ListedPage } from "#contract/auctions.ts";
import { paged } from "../../../lib/paged.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { serverClock } from "../../../lib/server-clock.ts";
import { useLoaded } from "../../../lib/use-loaded.ts";
import type { AuctionView } from "./use-auction-view.ts";

/** What is asked for a view; without a cursor its first page. */
export const productsAsked = (
  { search, category, subcategory, grade, sort }: AuctionView,
  cursor?: string,
) => ({
  search: search.trim(),
  category: category ?? undefined,
  subcategory: subcategory ?? undefined,
  grade: grade ?? undefined,
  sort,
  cursor,
});

/** A page, from which the server's clock is learnt too. */
async function ask(input: Parameters<typeof rpc.auctions.list>[0], signal: AbortSignal) {
  const asked = performance.now();
  const page = await rpc.auctions.list(input, { signal });
  serverClock.answered(page.now.getTime(), asked, performance.now());
  return page;
}

/** The query of a view's products, a page at a time. */
function productsQuery(view: AuctionView) {
  const inputFor = (cursor: string | undefined) => productsAsked(view, cursor);
  return infiniteQueryOptions({
    ...api.auctions.list.infiniteOptions({
      input: inputFor,
      ...paged,
    }),
    queryFn: ({ pageParam, signal }) => ask(inputFor(pageParam), signal),
  });
}

/** Takes over the first page of a view that a loader answered. */
export function useLoadedProducts(view: AuctionView, page: ListedPage | null): void {
  const pages = useMemo(() => page && { pages: [page], pageParams: [paged.initialPageParam] }, [page]);
  useLoaded(productsQuery(view).queryKey, pages);
}

/**
 * The products of a view, each once: one that has changed its price may come again on a later page. What is shown
 * stays until the next answer is there. `count`: how many there are, where that was counted.
 */
export function useProducts(view: AuctionView) {
  const { data, ...query } = useInfiniteQuery({
    ...productsQuery(view),
    placeholderData: keepPreviousData,
  });
  const byId = new Map(
    data?.pages.flatMap(({ products }) => products).map((each) => [each.id, each] as const),
  );
  return { ...query, products: data ? [...byId.values()] : null, count: data?.pages[0]?.count ?? null };
}
