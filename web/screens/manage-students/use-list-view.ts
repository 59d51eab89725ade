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

/**
 * The search, filters and order of Manage Students, as the address has them: a reload, a link or Back restores them.
 */
export type ListView = {
  search: string;
  filter: StudentFilter;
  situation: StudentSituation | null;
  sort: StudentSort;
  direction: SortDirection;
  /** The id of the student whose row is open, or null. */
  student: string | null;
  /** The dialog that is open about that student, or null. */
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

/** Returns the view, and a function that changes part of it in the address. */
export const useListView = () => useAddressView(readView, unsaid);
