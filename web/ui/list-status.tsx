import classes from "./list-status.module.css";

type ListStatusProps = {
  /** The number of entries; null while loading. */
  count: number | null;
  /** Whether there are more to load. */
  more: boolean;
  /** The words for one entry, for several, and the sentence for none. */
  words: { one: string; many: string; none: string };
  /** Makes it visible; otherwise it is for screen readers only. */
  shown?: boolean;
};

function sentence({ count, more, words: { one, many, none } }: Omit<ListStatusProps, "shown">): string {
  if (count === null) return "";
  if (count === 0) return none;
  const number = `${count} ${count === 1 ? one : many}`;
  return more ? `The first ${number}` : number;
}

/**
 * Politely announces the number of results of a search or a filter. A live region must already be in the page to be
 * announced, so it is beside the list and not in it. Empty between two answers, so that an equal number is read again.
 */
export const ListStatus = ({ shown = false, ...result }: ListStatusProps) => (
  <output aria-label="Results" className={shown ? classes.shown : "unseen"}>
    {sentence(result)}
  </output>
);
