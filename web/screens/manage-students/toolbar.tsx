import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { type StudentFilter, studentFilters, studentSearchLimit } from "#domain/student-list.ts";
import classes from "./toolbar.module.css";
import type { ListView } from "./use-list-view.ts";

const labels: Record<StudentFilter, string> = { all: "All", mine: "Mine", unassigned: "Unassigned" };

type ToolbarProps = {
  view: ListView;
  /** Admins have no students of their own. */
  isAgent: boolean;
  onChange: (changes: Partial<ListView>) => void;
};

/** What stands above the table: whose students, and a search by name (spec 2). */
export function Toolbar({ view, isAgent, onChange }: ToolbarProps) {
  const offered = studentFilters.filter((filter) => isAgent || filter !== "mine");
  return (
    <div className={classes.toolbar}>
      <SearchField search={view.search} onSearch={(search) => onChange({ search, student: null })} />
      <fieldset className={classes.filters}>
        <legend className={classes.legend}>Show</legend>
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

/** Milliseconds without a key after which a search is made. */
const pause = 250;

function SearchField({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useState(search);
  const sent = useRef(search);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text;
    onSearch(text);
  }, pause);
  useEffect(() => {
    // The address changed by itself, as when a link was followed: not by what was typed here.
    if (search === sent.current) return;
    sent.current = search;
    setTyped(search);
  }, [search]);
  return (
    <TextInput
      type="search"
      size="md"
      className={classes.search ?? ""}
      aria-label="Search by name"
      placeholder="Search by name..."
      leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      maxLength={studentSearchLimit}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
    />
  );
}
