import type { ComponentProps, ReactNode } from "react";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import classes from "./data-table.module.css";
import { DataTable, type DataTableProps } from "./data-table.tsx";

const lines = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Reserves the space of a loading table. */
export const TableSkeleton = ({ label }: { label: string }) => (
  <Waiting gap="xs" label={label}>
    <Skeleton h={36} />
    {lines.map((line) => (
      <Skeleton key={line} h={42} />
    ))}
  </Waiting>
);

type PagedTableProps<Row> = Omit<DataTableProps<Row>, "rows"> & {
  /** The accessible name; left out if a heading names the table. */
  label?: string;
  /** The accessible name while loading. */
  loading: string;
  /** A query whose data are the rows. */
  query: ComponentProps<typeof ShowMore>["query"] & {
    data: readonly Row[] | undefined;
    error: Error | null;
    refetch: () => unknown;
    isPlaceholderData: boolean;
  };
  /** Shown instead if there are no rows. */
  empty: ReactNode;
};

/** A table that loads page by page. */
export const PagedTable = <Row extends { id: string | number }>(props: PagedTableProps<Row>) => {
  const { label, loading, query, empty, ...table } = props;
  const rows = query.data;
  return (
    <>
      {!rows && query.error && <Retry error={query.error} onRetry={() => void query.refetch()} />}
      {!rows && !query.error && <TableSkeleton label={loading} />}
      {rows?.length === 0 && empty}
      {rows && rows.length > 0 && (
        <section className={classes.scroller} aria-label={label} aria-busy={query.isPlaceholderData}>
          <DataTable {...table} rows={rows} />
        </section>
      )}
      <ShowMore query={query} />
    </>
  );
};
