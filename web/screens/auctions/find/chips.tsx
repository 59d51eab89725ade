import { IconX } from "@tabler/icons-react";
import { categoryLabels } from "#domain/auction.ts";
import classes from "./filters.module.css";
import { type AuctionView, everything, type ViewProps } from "./use-auction-view.ts";

type Chip = { label: string; without: Partial<AuctionView> };

function chipsOf({ search, category, subcategory, grade }: AuctionView): Chip[] {
  const text = search.trim();
  return [
    ...(text === "" ? [] : [{ label: `“${text}”`, without: { search: "" } }]),
    ...(category
      ? [{ label: categoryLabels[category], without: { category: null, subcategory: null } }]
      : []),
    ...(subcategory ? [{ label: subcategory, without: { subcategory: null } }] : []),
    ...(grade ? [{ label: grade, without: { grade: null } }] : []),
  ];
}

/** What the list is narrowed to; each of it can be taken back. */
export function Chips({ view, onChange }: ViewProps) {
  const chips = chipsOf(view);
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Filters in use">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            className={classes.chip}
            aria-label={`Remove ${label}`}
            onClick={() => onChange(without)}
          >
            <span>{label}</span>
            <IconX size={15} stroke={1.8} aria-hidden />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button
            type="button"
            className={`${classes.chip} ${classes.clear}`}
            onClick={() => onChange(everything)}
          >
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}
