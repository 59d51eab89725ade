import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import {
  isStudentFilter,
  isStudentSort,
  type SortDirection,
  type StudentFilter,
  type StudentSort,
  studentSearchLimit,
} from "#domain/student-list.ts";

/** What Manage Students shows, as its address has it: a reload, a link or Back brings the same. */
export type ListView = {
  search: string;
  filter: StudentFilter;
  sort: StudentSort;
  direction: SortDirection;
  /** Whose row is open; null for nobody's. */
  student: string | null;
  /** What is open over the list, about that student. */
  show: "applications" | null;
};

function read(params: URLSearchParams): ListView {
  const [filter, sort] = [params.get("filter") ?? "", params.get("sort") ?? ""];
  return {
    search: (params.get("search") ?? "").slice(0, studentSearchLimit),
    filter: isStudentFilter(filter) ? filter : "all",
    sort: isStudentSort(sort) ? sort : "name",
    direction: params.get("direction") === "descending" ? "descending" : "ascending",
    student: params.get("student"),
    show: params.get("show") === "applications" ? "applications" : null,
  };
}

const unsaid: Partial<Record<keyof ListView, string>> = {
  filter: "all",
  sort: "name",
  direction: "ascending",
};

/** The address for a view: what goes without saying is left out. */
function write(view: ListView): Record<string, string> {
  const said = Object.entries(view).flatMap(([key, value]) =>
    value && Reflect.get(unsaid, key) !== value ? [[key, value] as const] : [],
  );
  return Object.fromEntries(said);
}

/**
 * The view, and a function that changes some of it in the address. Changes may follow each other before the address
 * has caught up, as when a dialog closes while a search is typed: each goes on from the one before.
 */
export function useListView() {
  const [params, setParams] = useSearchParams();
  const view = read(params);
  const latest = useRef(view);
  useEffect(() => {
    latest.current = read(params);
  }, [params]);
  const change = (changes: Partial<ListView>) => {
    latest.current = { ...latest.current, ...changes };
    setParams(write(latest.current), { replace: true, preventScrollReset: true });
  };
  return [view, change] as const;
}
