import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ListedPage } from "#contract/listed-products.ts";
import {
  auctionLimits,
  type Category,
  type Grade,
  isCategory,
  isGrade,
  isSubcategoryOf,
} from "#domain/auction.ts";
import {
  type AuctionSort,
  type BidFilter,
  type EndsWithin,
  isAuctionSort,
  isBidFilter,
  isEndsWithin,
} from "#domain/auction-list.ts";
import { type DeliveryWay, isDeliveryWay } from "#domain/delivery.ts";
import { highestAmount } from "#domain/money.ts";
import { isUuid } from "#domain/uuid.ts";
import type { SearchFilters } from "#domain/watching.ts";
import { paged } from "../../../lib/paged.ts";
import { api } from "../../../lib/rpc.ts";
import { useAddressView, write } from "../../../lib/use-address-view.ts";
import { useLoaded } from "../../../lib/use-loaded.ts";

/** The search, filters and order of /auctions, as the address has them. */
export type AuctionView = {
  search: string;
  category: Category | null;
  /** A subcategory of `category`. */
  subcategory: string | null;
  grade: Grade | null;
  delivery: DeliveryWay | null;
  /** Whole cents, in digits. */
  priceFrom: string | null;
  priceTo: string | null;
  endsWithin: EndsWithin | null;
  bids: BidFilter | null;
  /** The id of a product: only items of its seller are shown. */
  sellerOf: string | null;
  /** Null: the default order. */
  sort: AuctionSort | null;
};
export type AuctionFilter = Omit<AuctionView, "sort">;
export type ViewProps = { view: AuctionView; onChange: (changes: Partial<AuctionView>) => void };

/** No search and no filters. */
export const everything: AuctionFilter = {
  search: "",
  category: null,
  subcategory: null,
  grade: null,
  delivery: null,
  priceFrom: null,
  priceTo: null,
  endsWithin: null,
  bids: null,
  sellerOf: null,
};

const centsIn = (text: string): string | null =>
  /^\d{1,12}$/.test(text) && Number(text) <= highestAmount ? String(Number(text)) : null;

export function readView(params: URLSearchParams): AuctionView {
  const param = (name: keyof AuctionView) => params.get(name) ?? "";
  const delivery = param("delivery");
  const [category, subcategory, grade, sort] = [
    param("category"),
    param("subcategory"),
    param("grade"),
    param("sort"),
  ];
  const [endsWithin, bids, sellerOf] = [param("endsWithin"), param("bids"), param("sellerOf")];
  return {
    search: param("search").slice(0, auctionLimits.search),
    category: isCategory(category) ? category : null,
    subcategory: isCategory(category) && isSubcategoryOf(category, subcategory) ? subcategory : null,
    grade: isGrade(grade) ? grade : null,
    delivery: isDeliveryWay(delivery) ? delivery : null,
    priceFrom: centsIn(param("priceFrom")),
    priceTo: centsIn(param("priceTo")),
    endsWithin: isEndsWithin(endsWithin) ? endsWithin : null,
    bids: isBidFilter(bids) ? bids : null,
    sellerOf: isUuid(sellerOf) ? sellerOf.toLowerCase() : null,
    sort: isAuctionSort(sort) ? sort : null,
  };
}

/** Returns the query of the address for a view. */
export const queryOf = (view: AuctionView): string => {
  const text = new URLSearchParams(write(view, {})).toString();
  return text && `?${text}`;
};

/** Returns the view, and a function that changes part of it in the address. */
export const useAuctionView = () => useAddressView(readView, {});

export const isNarrowed = ({ sort: _sort, search, ...filters }: AuctionView): boolean =>
  search.trim() !== "" || Object.values(filters).some((filter) => filter !== null);

/** Filters that are typed, or have very many values: their HTML is not cached for others. */
const typedFilters = ["search", "priceFrom", "priceTo", "sellerOf"] as const;
export const isTyped = (params: URLSearchParams): boolean => typedFilters.some((name) => params.has(name));

const numberOf = (cents: string | null): number | null => (cents === null ? null : Number(cents));

/** Returns those filters of a view that new items can be compared with. */
export const savedFiltersOf = (view: AuctionView): SearchFilters => ({
  search: view.search,
  category: view.category,
  subcategory: view.subcategory,
  grade: view.grade,
  delivery: view.delivery,
  priceFrom: numberOf(view.priceFrom),
  priceTo: numberOf(view.priceTo),
});

/** Describes those filters of a view that don't apply to new items. */
export const unsavedFiltersOf = ({ endsWithin, bids, sellerOf }: AuctionView): string[] => [
  ...(endsWithin === null ? [] : ["how soon it ends"]),
  ...(bids === null ? [] : ["the number of bids"]),
  ...(sellerOf === null ? [] : ["the seller"]),
];

/** Returns the input for a page of a view's products; without a cursor, for the first page. */
export const productsInput = (view: AuctionView, cursor?: string) => ({
  search: view.search.trim(),
  category: view.category ?? undefined,
  subcategory: view.subcategory ?? undefined,
  grade: view.grade ?? undefined,
  priceFrom: numberOf(view.priceFrom) ?? undefined,
  priceTo: numberOf(view.priceTo) ?? undefined,
  endsWithin: view.endsWithin ?? undefined,
  bids: view.bids ?? undefined,
  sellerOf: view.sellerOf ?? undefined,
  delivery: view.delivery ?? undefined,
  sort: view.sort ?? undefined,
  cursor,
});

function productsQuery(view: AuctionView) {
  return api.auctions.list.infiniteOptions({
    input: (cursor: string | undefined) => productsInput(view, cursor),
    ...paged,
  });
}

/** Puts the first page of a view, from the loader, into the cache. */
export function useLoadedProducts(view: AuctionView, page: ListedPage | null): void {
  const pages = useMemo(() => page && { pages: [page], pageParams: [paged.initialPageParam] }, [page]);
  useLoaded(productsQuery(view).queryKey, pages);
}

/**
 * Returns the products of a view, each once: a product whose price has changed may be listed again on a later page. The
 * current ones stay until the next answer arrives. `count` is the number of matches, if counted; `corrected` is the
 * search that replaced the typed one.
 */
export function useProducts(view: AuctionView) {
  const { data, ...query } = useInfiniteQuery({
    ...productsQuery(view),
    placeholderData: keepPreviousData,
  });
  const byId = new Map(
    data?.pages.flatMap(({ products }) => products).map((each) => [each.id, each] as const),
  );
  const { count = null, corrected = null } = data?.pages[0] ?? {};
  return { ...query, products: data ? [...byId.values()] : null, count, corrected };
}
