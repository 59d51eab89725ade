import type { ComponentProps, ReactNode } from "react";
import { passFocusOn } from "../../lib/focus.ts";
import classes from "./data-table.module.css";

export type Column<Row> = {
  title: string;
  render: (row: Row) => ReactNode;
  /** The kind of content in the cells; left out for a few words. */
  holds?: "short" | "long" | "number" | "what" | "details";
  /** Whether it spans both columns of a card. */
  wide?: boolean;
  /** Whether it holds the row's actions: on a card its title is left out. */
  acts?: boolean;
};

export type DataTableProps<Row> = Omit<ComponentProps<"table">, "children"> & {
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
};

/** A table. On a phone every row is a card, without its empty cells. */
export const DataTable = <Row extends { id: string | number }>({
  columns,
  rows,
  className = "",
  ...table
}: DataTableProps<Row>) => (
  <table className={`${classes.table} ${className}`} {...table}>
    <thead>
      <tr>
        {columns.map(({ title, holds }) => (
          <th key={title} scope="col" className={holds === "number" ? classes.number : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr ref={passFocusOn} key={row.id}>
          {columns.map(({ title, render, holds, wide, acts }, place) => {
            const className = holds && classes[holds];
            return place === 0 ? (
              <th key={title} scope="row" className={className}>
                {render(row)}
              </th>
            ) : (
              <td
                key={title}
                className={className}
                data-label={acts ? undefined : title}
                data-action={acts}
                data-wide={wide}
              >
                {render(row)}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);
