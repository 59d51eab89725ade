import type { StudentView } from "#contract/students.ts";
import { type FitOutcome, isFitOutcome } from "#domain/student-fit.ts";
import {
  columnsIn,
  isChoice,
  isStudentFilter,
  isStudentSort,
  type SortDirection,
  type StudentColumn,
  type StudentFacet,
  type StudentFilter,
  type StudentSort,
  studentFacetNames,
  studentSearchLimit,
  usualColumns,
} from "#domain/student-list.ts";
import { useAddressView } from "../../lib/use-address-view.ts";

type Facets = { [Facet in StudentFacet]: string | null };
/** The id of a programme to compare students with, perhaps an intake of it, and the required outcome. */
type FitFilter = { fits: string | null; fitsIntake: string | null; fit: FitOutcome | null };

/**
 * The search, filters, columns and order of Manage Students, as the address has them: a reload, a link or Back restores
 * them.
 */
export type ListView = Facets &
  FitFilter & {
    search: string;
    filter: StudentFilter;
    /** The id of the agent whose students are shown, or null. */
    agentId: string | null;
    sort: StudentSort;
    direction: SortDirection;
    /** The chosen columns, joined by commas; null for the usual ones. */
    columns: string | null;
    /** The id of the student whose row is open, or null. */
    student: string | null;
    /** The dialog that is open about that student, or null. */
    show: "applications" | null;
  };

export const noFitting: FitFilter = { fits: null, fitsIntake: null, fit: null };

/** All filters, none of them set. */
export const noFacets: Facets & FitFilter & { agentId: null } = {
  ...noFitting,
  situation: null,
  intake: null,
  year: null,
  destination: null,
  documents: null,
  waiting: null,
  deposit: null,
  country: null,
  agentId: null,
};

const idIn = (text: string): string | null =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text : null;

function readView(params: URLSearchParams): ListView {
  const read = (name: string) => params.get(name) ?? "";
  const [filter, sort, fit] = [read("filter"), read("sort"), read("fit")];
  const facets = { ...noFacets } satisfies Facets;
  const choices: Partial<Facets> = Object.fromEntries(
    studentFacetNames.flatMap((facet) => (isChoice(facet, read(facet)) ? [[facet, read(facet)]] : [])),
  );
  return {
    ...facets,
    ...choices,
    fits: idIn(read("fits")),
    fitsIntake: idIn(read("fitsIntake")),
    fit: isFitOutcome(fit) ? fit : null,
    search: read("search").slice(0, studentSearchLimit),
    filter: isStudentFilter(filter) ? filter : "all",
    agentId: params.get("agentId"),
    sort: isStudentSort(sort) ? sort : "name",
    direction: params.get("direction") === "descending" ? "descending" : "ascending",
    columns: params.get("columns"),
    student: params.get("student"),
    show: params.get("show") === "applications" ? "applications" : null,
  };
}

const defaults: Partial<ListView> = {
  filter: "all",
  sort: "name",
  direction: "ascending",
};

/** Returns the view, and a function that changes part of it in the address. */
export const useListView = () => useAddressView(readView, defaults);

export const columnsOf = ({ columns }: Pick<ListView, "columns">): readonly StudentColumn[] =>
  columnsIn(columns ?? "");

/** Writes columns for the address; null for the usual ones. */
export const writeColumns = (columns: readonly StudentColumn[]): string | null =>
  columns.join() === usualColumns.join() ? null : columns.join();

/** Returns the server's input. The filters are valid, because `readView` only accepts their choices. */
export function inputOf({
  search,
  filter,
  agentId,
  fits,
  fitsIntake,
  fit,
  sort,
  direction,
  ...view
}: ListView) {
  const fitting = fits !== null && {
    fits: {
      programmeId: fits,
      ...(fitsIntake !== null && { intakeId: fitsIntake }),
      ...(fit !== null && { outcome: fit }),
    },
  };
  const facets = Object.fromEntries(
    studentFacetNames.flatMap((facet) => (view[facet] === null ? [] : [[facet, view[facet]]])),
  ) satisfies Record<string, string | null> as Partial<Pick<StudentView, StudentFacet>>;
  return { search, filter, ...facets, ...(agentId !== null && { agentId }), ...fitting, sort, direction };
}

/** Whether any filter is set besides the choice of all, own or unassigned students. */
export const isFiltered = (view: ListView): boolean =>
  view.agentId !== null || view.fits !== null || studentFacetNames.some((facet) => view[facet] !== null);

/** Returns the changes that apply a saved view; filters that it lacks are cleared. */
export function changesFor(view: StudentView, columns: readonly StudentColumn[]): Partial<ListView> {
  const { search, filter, sort, direction } = view;
  return {
    situation: view.situation ?? null,
    intake: view.intake ?? null,
    year: view.year ?? null,
    destination: view.destination ?? null,
    documents: view.documents ?? null,
    country: view.country ?? null,
    agentId: view.agentId ?? null,
    waiting: view.waiting ?? null,
    deposit: view.deposit ?? null,
    fits: view.fits?.programmeId ?? null,
    fitsIntake: view.fits?.intakeId ?? null,
    fit: view.fits?.outcome ?? null,
    search,
    filter,
    sort,
    direction,
    columns: writeColumns(columns),
    student: null,
    show: null,
  };
}
