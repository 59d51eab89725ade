import { IconX } from "@tabler/icons-react";
import { passFocusOn } from "../lib/focus.ts";
import classes from "./filter-chips.module.css";

type FilterChipsProps = {
  chips: readonly { label: string; onRemove: () => void }[];
  /** Removes all of them. */
  onClear: () => void;
};

/** The filters of a list that are in use, each with a button that removes it. */
export function FilterChips({ chips, onClear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Filters in use">
      {chips.map(({ label, onRemove }) => (
        <li ref={passFocusOn} key={label}>
          <button type="button" className={classes.chip} aria-label={`Remove ${label}`} onClick={onRemove}>
            <span>{label}</span>
            <IconX size={15} stroke={1.8} aria-hidden />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li ref={passFocusOn}>
          <button type="button" className={`${classes.chip} ${classes.clear}`} onClick={onClear}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}
