import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ListedPage } from "#contract/auctions.ts";
import type { ToldAnswer } from "../../../lib/first-sight.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { read } from "../../../lib/rpc-link.ts";
import { serverClock } from "../../../lib/server-clock.ts";
import { useHydrated } from "../../../lib/use-hydrated.ts";
import type { AuctionView } from "./use-auction-view.ts";

const firstPage: string | undefined = undefined;

/** What is asked for a view; without a cursor its first page. */
export const productsAsked = (
  { search, category, subcategory, grade, sort }: AuctionView,
  cursor: string | undefined = firstPage,
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
export function productsQuery(view: AuctionView) {
  const inputFor = (cursor: string | undefined) => productsAsked(view, cursor);
  return infiniteQueryOptions({
    ...api.auctions.list.infiniteOptions({
      input: inputFor,
      initialPageParam: firstPage,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
    queryFn: ({ pageParam, signal }) => ask(inputFor(pageParam), signal),
  });
}

/** Takes over the first page of a view that came with the page, as if it had been asked for. */
export function takeToldProducts(
  view: AuctionView,
  { answer, at, asked, heard, updatedAt }: ToldAnswer,
): void {
  serverClock.answered(at, asked, heard);
  const page = read(answer) as ListedPage;
  const told = { pages: [page], pageParams: [firstPage] };
  queryClient.setQueryData(productsQuery(view).queryKey, told, { updatedAt });
}

/**
 * The products of a view, each once: one that has changed its price may come again on a later page. What is shown
 * stays until the next answer is there.
 */
export function useProducts(view: AuctionView) {
  const { data, ...query } = useInfiniteQuery({
    ...productsQuery(view),
    placeholderData: keepPreviousData,
    enabled: useHydrated(),
  });
  const byId = new Map(
    data?.pages.flatMap(({ products }) => products).map((each) => [each.id, each] as const),
  );
  return { ...query, products: data ? [...byId.values()] : null };
}
