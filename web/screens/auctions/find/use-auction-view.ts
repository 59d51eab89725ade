import {
  auctionLimits,
  type Category,
  type Grade,
  isCategory,
  isGrade,
  isSubcategoryOf,
} from "#domain/auction.ts";
import { type AuctionSort, isAuctionSort } from "#domain/auction-list.ts";
import { useAddressView, write } from "../../../lib/use-address-view.ts";

/** What /auctions shows, as its address has it. */
export type AuctionView = {
  search: string;
  category: Category | null;
  /** Of that category. */
  subcategory: string | null;
  grade: Grade | null;
  sort: AuctionSort;
};
export type Narrowing = Omit<AuctionView, "sort">;
export type ViewProps = { view: AuctionView; onChange: (changes: Partial<AuctionView>) => void };

/** Everything, in the order that goes without saying. */
export const everything: Narrowing = { search: "", category: null, subcategory: null, grade: null };
const unsaid: Partial<AuctionView> = { sort: "endingSoonest" };

export function readView(params: URLSearchParams): AuctionView {
  const of = (name: keyof AuctionView) => params.get(name) ?? "";
  const [category, subcategory, grade, sort] = [of("category"), of("subcategory"), of("grade"), of("sort")];
  return {
    search: of("search").slice(0, auctionLimits.search),
    category: isCategory(category) ? category : null,
    subcategory: isCategory(category) && isSubcategoryOf(category, subcategory) ? subcategory : null,
    grade: isGrade(grade) ? grade : null,
    sort: isAuctionSort(sort) ? sort : "endingSoonest",
  };
}

/** The query of the address that stands for a view. */
export const queryOf = (view: AuctionView): string => {
  const text = new URLSearchParams(write(view, unsaid)).toString();
  return text && `?${text}`;
};

/** The view, and a function that changes some of it in the address. */
export const useAuctionView = () => useAddressView(readView, unsaid);

export const isNarrowed = ({ search, category, grade }: AuctionView): boolean =>
  search.trim() !== "" || category !== null || grade !== null;
