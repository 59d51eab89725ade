import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api, rpc } from "../../../lib/rpc.ts";
import { serverClock } from "../../../lib/server-clock.ts";
import { useHydrated } from "../../../lib/use-hydrated.ts";
import type { AuctionView } from "./use-auction-view.ts";

const firstPage: string | undefined = undefined;

/** A page, from which the server's clock is learnt too. */
async function ask(input: Parameters<typeof rpc.auctions.list>[0], signal: AbortSignal) {
  const asked = performance.now();
  const page = await rpc.auctions.list(input, { signal });
  serverClock.answered(page.now.getTime(), asked, performance.now());
  return page;
}

/**
 * The products of a view, a page at a time, each once: one that has changed its price may come again on a later page.
 * What is shown stays until the next answer is there.
 */
export function useProducts({ search, category, subcategory, grade, sort }: AuctionView) {
  const inputFor = (cursor: string | undefined) => ({
    search: search.trim(),
    category: category ?? undefined,
    subcategory: subcategory ?? undefined,
    grade: grade ?? undefined,
    sort,
    cursor,
  });
  const { data, ...query } = useInfiniteQuery({
    ...api.auctions.list.infiniteOptions({
      input: inputFor,
      initialPageParam: firstPage,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
    queryFn: ({ pageParam, signal }) => ask(inputFor(pageParam), signal),
    placeholderData: keepPreviousData,
    enabled: useHydrated(),
  });
  const byId = new Map(
    data?.pages.flatMap(({ products }) => products).map((each) => [each.id, each] as const),
  );
  return { ...query, products: data ? [...byId.values()] : null };
}
