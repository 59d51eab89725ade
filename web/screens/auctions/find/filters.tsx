import { useState } from "react";
import {
  auctionLimits,
  categories,
  categoryLabels,
  grades,
  isCategory,
  isGrade,
  subcategoriesOf,
} from "#domain/auction.ts";
import {
  auctionOrder,
  auctionSortLabels,
  auctionSorts,
  bidFilterLabels,
  bidFilters,
  endsWithinChoices,
  endsWithinLabels,
  isAuctionSort,
  isBidFilter,
  isEndsWithin,
  plainSorts,
} from "#domain/auction-list.ts";
import { deliveryWayLabels, deliveryWays, isDeliveryWay } from "#domain/delivery.ts";
import { searchWords } from "#domain/search-words.ts";
import { priceInWords } from "#domain/watching.ts";
import { Choice } from "../../../ui/choice.tsx";
import { FilterChips } from "../../../ui/filter-chips.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import { type AuctionView, everything, savedFiltersOf, type ViewProps } from "./auction-view.ts";
import classes from "./filters.module.css";
import { PriceField } from "./price-field.tsx";

/** The controls above the list: search, category, grade and order. */
export function Filters({ view, onChange }: ViewProps) {
  const { search, category, subcategory, grade, sort } = view;
  const sorts = searchWords(search).length > 0 ? auctionSorts : plainSorts;
  return (
    <search className={classes.filters}>
      <SearchField
        className={classes.search}
        label="Search auctions"
        placeholder="Search auctions..."
        maxLength={auctionLimits.search}
        search={search}
        onSearch={(text) => onChange({ search: text })}
      />
      <Choice
        label="Category"
        all="All"
        value={category ?? ""}
        options={categories.map((each) => ({ value: each, label: categoryLabels[each] }))}
        onChoose={(value) => onChange({ category: isCategory(value) ? value : null, subcategory: null })}
      />
      <Choice
        label="Subcategory"
        all="All"
        disabled={category === null}
        value={subcategory ?? ""}
        options={category ? [...subcategoriesOf[category]] : []}
        onChoose={(value) => onChange({ subcategory: value || null })}
      />
      <Choice
        label="Grade"
        all="All"
        value={grade ?? ""}
        options={[...grades]}
        onChoose={(value) => onChange({ grade: isGrade(value) ? value : null })}
      />
      <Choice
        label="Sort by"
        value={auctionOrder(sort, search)}
        options={sorts.map((each) => ({ value: each, label: auctionSortLabels[each] }))}
        onChoose={(value) => isAuctionSort(value) && onChange({ sort: value })}
      />
      <MoreFilters view={view} onChange={onChange} />
    </search>
  );
}

/** Price, end, bids and delivery. It is open if one of them is in use, unless the viewer has closed it. */
function MoreFilters({ view, onChange }: ViewProps) {
  const { priceFrom, priceTo, endsWithin, bids, delivery } = view;
  const isInUse = [priceFrom, priceTo, endsWithin, bids, delivery].some((filter) => filter !== null);
  const [isOpen, setOpen] = useState<boolean | null>(null);
  return (
    <details
      className={classes.more}
      open={isOpen ?? isInUse}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={classes.summary}>Price, end, bids and delivery</summary>
      <div className={classes.moreFields}>
        <PriceField
          label="Price from"
          cents={priceFrom}
          onChoose={(cents) => onChange({ priceFrom: cents })}
        />
        <PriceField label="Price to" cents={priceTo} onChoose={(cents) => onChange({ priceTo: cents })} />
        <Choice
          label="Ends within"
          all="Any time"
          value={endsWithin ?? ""}
          options={endsWithinChoices.map((each) => ({ value: each, label: endsWithinLabels[each] }))}
          onChoose={(value) => onChange({ endsWithin: isEndsWithin(value) ? value : null })}
        />
        <Choice
          label="Bids"
          all="Any number"
          value={bids ?? ""}
          options={bidFilters.map((each) => ({ value: each, label: bidFilterLabels[each] }))}
          onChoose={(value) => onChange({ bids: isBidFilter(value) ? value : null })}
        />
        <Choice
          label="Delivery"
          all="All"
          value={delivery ?? ""}
          options={deliveryWays.map((each) => ({ value: each, label: deliveryWayLabels[each] }))}
          onChoose={(value) => onChange({ delivery: isDeliveryWay(value) ? value : null })}
        />
      </div>
    </details>
  );
}

type Chip = { label: string; without: Partial<AuctionView> };

/** Makes a chip for every filter but the search, which has its own field. */
function chipsOf(view: AuctionView): Chip[] {
  const { category, subcategory, grade, delivery, endsWithin, bids, sellerOf } = view;
  const { priceFrom, priceTo } = savedFiltersOf(view);
  const price = priceInWords(priceFrom, priceTo);
  return [
    ...(sellerOf ? [{ label: "One seller's items", without: { sellerOf: null } }] : []),
    ...(category
      ? [{ label: categoryLabels[category], without: { category: null, subcategory: null } }]
      : []),
    ...(subcategory ? [{ label: subcategory, without: { subcategory: null } }] : []),
    ...(grade ? [{ label: grade, without: { grade: null } }] : []),
    ...(delivery ? [{ label: deliveryWayLabels[delivery], without: { delivery: null } }] : []),
    ...(price ? [{ label: `Price ${price}`, without: { priceFrom: null, priceTo: null } }] : []),
    ...(endsWithin
      ? [{ label: `Ends within ${endsWithinLabels[endsWithin]}`, without: { endsWithin: null } }]
      : []),
    ...(bids ? [{ label: bidFilterLabels[bids], without: { bids: null } }] : []),
  ];
}

/** The filters in use, each with a button that removes it. */
export const Chips = ({ view, onChange }: ViewProps) => (
  <FilterChips
    chips={chipsOf(view).map(({ label, without }) => ({ label, onRemove: () => onChange(without) }))}
    onClear={() => onChange(everything)}
  />
);
