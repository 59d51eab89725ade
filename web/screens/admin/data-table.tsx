import type { ComponentProps, ReactNode } from "react";
import classes from "./data-table.module.css";

export type Column<Row> = {
  title: string;
  render: (row: Row) => ReactNode;
  /** What its cells hold; left out for a few words. */
  holds?: "short" | "long" | "number" | "what" | "details";
  /** On a card across both of its columns. */
  wide?: boolean;
  /** It holds what can be done about the row: on a card its title is left out. */
  acts?: boolean;
};

export type DataTableProps<Row> = Omit<ComponentProps<"table">, "children"> & {
  /** The first holds what names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
};

/** A table; on a telephone every row is a card, on which an empty cell is left out. */
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
        <tr key={row.id}>
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
