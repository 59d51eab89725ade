import { IconX } from "@tabler/icons-react";
import { Fragment } from "react";
import { Link, useNavigate } from "react-router";
import type { ProgrammePage } from "#contract/programmes.ts";
import { useNow } from "../../../lib/hydration.ts";
import { IconButton } from "../../../ui/button.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { cardPath, comparePath } from "../paths.ts";
import classes from "./compare-table.module.css";
import { type Row, rowGroups } from "./rows.tsx";

type CompareTableProps = {
  programmes: readonly ProgrammePage[];
  /** The start that the address names, as YYYY-MM. */
  start: string | null;
};

/** Programmes side by side, one a column, with the rows marked in which they differ. */
export function CompareTable({ programmes, start }: CompareTableProps) {
  const now = useNow();
  const navigate = useNavigate();
  const slugs = programmes.map(({ slug }) => slug);
  return (
    <section className={classes.room} aria-label="Comparison">
      <table className={classes.table} data-columns={programmes.length}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              <span className="unseen">Compared</span>
            </th>
            {programmes.map(({ slug, title, institution, removed, sample }) => (
              <th key={slug} scope="col" className={classes.programme}>
                <Link to={cardPath(slug, slugs.join(","), start)}>{title}</Link>
                <span className={classes.institution}>{institution.name}</span>
                {removed && <StateBadge tone="asks">No longer offered</StateBadge>}
                {sample && <StateBadge tone="ended">Sample</StateBadge>}
                <IconButton
                  className={classes.remove ?? ""}
                  label={`Remove ${title} from the comparison`}
                  onClick={() => {
                    const others = slugs.filter((each) => each !== slug);
                    void navigate(comparePath(others, start), { replace: true });
                  }}
                >
                  <IconX size={18} stroke={1.6} aria-hidden />
                </IconButton>
              </th>
            ))}
          </tr>
        </thead>
        {rowGroups(programmes, start, now).map(({ title, rows }) => (
          <tbody key={title}>
            <tr className={classes.group}>
              <th scope="rowgroup" colSpan={programmes.length + 1}>
                {title}
              </th>
            </tr>
            {rows.map((row) => (
              <CompareRow key={row.label} row={row} programmes={programmes} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function CompareRow({ row, programmes }: { row: Row; programmes: readonly ProgrammePage[] }) {
  const differs = new Set(programmes.map(row.key)).size > 1;
  return (
    <tr data-differs={differs || undefined}>
      <th scope="row" className={classes.label}>
        {row.label}
        {differs && <span className={classes.mark}>differs</span>}
      </th>
      {programmes.map((programme) => (
        <td key={programme.slug}>
          <Fragment>{row.cell(programme)}</Fragment>
        </td>
      ))}
    </tr>
  );
}
