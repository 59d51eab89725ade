import {
  isStudentFilter,
  isStudentSort,
  type SortDirection,
  type StudentFilter,
  type StudentSort,
  studentSearchLimit,
} from "#domain/student-list.ts";
import { useAddressView } from "../../lib/use-address-view.ts";

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

function readView(params: URLSearchParams): ListView {
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

const unsaid: Partial<ListView> = {
  filter: "all",
  sort: "name",
  direction: "ascending",
};

/** The view, and a function that changes some of it in the address. */
export const useListView = () => useAddressView(readView, unsaid);
