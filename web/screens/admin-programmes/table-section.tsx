import { type ReactNode, useId } from "react";
import { ItemList } from "../../ui/item-list.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./programmes.module.css";

type TableSectionProps<Row> = {
  title: string;
  lead: string;
  /** The button that adds a row. */
  add: ReactNode;
  query: { error: Error | null; refetch: () => unknown };
  rows: readonly Row[] | undefined;
  empty: string;
  children: (row: Row) => ReactNode;
};

/** One of the tables, with its purpose and the button that adds a row. */
export function TableSection<Row>({
  title,
  lead,
  add,
  query,
  rows,
  empty,
  children,
}: TableSectionProps<Row>) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      <p className={classes.small}>{lead}</p>
      {!rows && query.error && <Retry error={query.error} onRetry={() => void query.refetch()} />}
      {!rows && !query.error && <Skeleton h={90} label={`Loading: ${title}`} />}
      {rows?.length === 0 && <p>{empty}</p>}
      {rows && rows.length > 0 && <ItemList label={title}>{rows.map(children)}</ItemList>}
      {rows && <div className={classes.links}>{add}</div>}
    </section>
  );
}
