import classes from "./list-status.module.css";

type ListStatusProps = {
  /** How many are listed; null while the answer is on its way. */
  count: number | null;
  /** Whether more can be asked for. */
  more: boolean;
  /** What is listed, one and several; and the sentence for none. */
  words: { one: string; many: string; none: string };
  /** Visible; otherwise for screen readers only. */
  shown?: boolean;
};

function sentence({ count, more, words: { one, many, none } }: Omit<ListStatusProps, "shown">): string {
  if (count === null) return "";
  if (count === 0) return none;
  const number = `${count} ${count === 1 ? one : many}`;
  return more ? `The first ${number}` : number;
}

/**
 * Tells readers politely what a search or a filter has found. It stands beside the list and not in it: only what is
 * there already is listened to. Between two answers it is empty, so that the same number is told again.
 */
export const ListStatus = ({ shown = false, ...found }: ListStatusProps) => (
  <output aria-label="Results" className={shown ? classes.shown : "unseen"}>
    {sentence(found)}
  </output>
);
