import {
  isStudentFilter,
  isStudentSituation,
  isStudentSort,
  type SortDirection,
  type StudentFilter,
  type StudentSituation,
  type StudentSort,
  studentSearchLimit,
} from "#domain/student-list.ts";
import { useAddressView } from "../../lib/use-address-view.ts";

/** What Manage Students shows, as its address has it: a reload, a link or Back brings the same. */
export type ListView = {
  search: string;
  filter: StudentFilter;
  situation: StudentSituation | null;
  sort: StudentSort;
  direction: SortDirection;
  /** Whose row is open; null for nobody's. */
  student: string | null;
  /** What is open over the list, about that student. */
  show: "applications" | null;
};

function readView(params: URLSearchParams): ListView {
  const read = (name: string) => params.get(name) ?? "";
  const [filter, situation, sort] = [read("filter"), read("situation"), read("sort")];
  return {
    search: read("search").slice(0, studentSearchLimit),
    filter: isStudentFilter(filter) ? filter : "all",
    situation: isStudentSituation(situation) ? situation : null,
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
