import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import type { StudentRow as Student } from "#contract/students.ts";
import type { StudentSort } from "#domain/student-list.ts";
import { StudentRow } from "./student-row.tsx";
import classes from "./student-table.module.css";
import type { ListView } from "./use-list-view.ts";
import type { RowActions } from "./use-row-actions.ts";

type StudentTableProps = {
  students: readonly Student[];
  view: ListView;
  /** Newer rows are on the way. */
  busy: boolean;
  actions: RowActions;
  onChange: (changes: Partial<ListView>) => void;
};

const plainColumns = ["Shortlist", "Actions", "Assign Agent"] as const;

/** Where the columns have no room every row is a block of three parts, on a telephone a card. */
export function StudentTable({ students, view, busy, actions, onChange }: StudentTableProps) {
  const sortable = { view, onChange };
  return (
    <section className={classes.scroller} aria-label="Students" aria-busy={busy}>
      <table className={classes.table}>
        <thead>
          <tr>
            <SortHeader sort="name" label="Name" {...sortable} />
            <th scope="col" className={classes.cardsOnly}>
              Progress
            </th>
            <SortHeader sort="email" label="Email" {...sortable} />
            <th scope="col">Phone</th>
            <SortHeader sort="country" label="Country" {...sortable} />
            {plainColumns.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <StudentRow
              key={student.id}
              student={student}
              opened={view.student === student.id}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type SortHeaderProps = {
  sort: StudentSort;
  label: string;
  view: ListView;
  onChange: (changes: Partial<ListView>) => void;
};

function SortHeader({ sort, label, view, onChange }: SortHeaderProps) {
  const order = view.sort === sort ? view.direction : "none";
  const Icon = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown }[order];
  const direction = order === "ascending" ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={order}>
      <button type="button" className={classes.sort} onClick={() => onChange({ sort, direction })}>
        {label}
        <Icon size={14} stroke={1.8} aria-hidden />
      </button>
    </th>
  );
}
