import { type StudentFilter, studentFilters, studentSearchLimit } from "#domain/student-list.ts";
import { SearchField } from "../../ui/search-field.tsx";
import classes from "./toolbar.module.css";
import type { ListView } from "./use-list-view.ts";

const labels: Record<StudentFilter, string> = { all: "All", mine: "Mine", unassigned: "Unassigned" };

type ToolbarProps = {
  view: ListView;
  /** Admins have no students of their own. */
  isAgent: boolean;
  onChange: (changes: Partial<ListView>) => void;
};

/** What stands above the table: whose students, and a search by name. */
export function Toolbar({ view, isAgent, onChange }: ToolbarProps) {
  const offered = studentFilters.filter((filter) => isAgent || filter !== "mine");
  return (
    <div className={classes.toolbar}>
      <SearchField
        className={classes.search}
        label="Search by name"
        placeholder="Search by name..."
        maxLength={studentSearchLimit}
        search={view.search}
        // A row that was opened meanwhile, before the last letters counted, stays open.
        onSearch={(search) => onChange({ search })}
      />
      <fieldset className={classes.filters}>
        <legend className="unseen">Show</legend>
        {offered.map((filter) => (
          <button
            key={filter}
            type="button"
            className={classes.filter}
            aria-pressed={view.filter === filter}
            onClick={() => onChange({ filter, student: null })}
          >
            {labels[filter]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
