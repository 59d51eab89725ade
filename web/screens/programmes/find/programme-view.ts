import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ProgrammeCounts, ProgrammeQuestion } from "#contract/programmes.ts";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { highestAmount } from "#domain/money.ts";
import { type Outcome, outcomes } from "#domain/outcome.ts";
import { studyFields, studyModes, teachingLanguages } from "#domain/programme.ts";
import { programmeSorts } from "#domain/programme-list.ts";
import { paged } from "../../../lib/paged.ts";
import { api } from "../../../lib/rpc.ts";
import { useAddressView, type ViewChanges, write } from "../../../lib/use-address-view.ts";
import { useLoaded } from "../../../lib/use-loaded.ts";
import { useIsStudent } from "../../../lib/viewer.ts";
import { slugsIn } from "../slugs.ts";

const studentSorts = [...programmeSorts, "gaps"] as const;

/** The words, filters and order of /programmes, as the address has them. */
export type ProgrammeView = {
  search: string;
  country: (typeof studyCountries)[number] | null;
  level: (typeof studyLevels)[number] | null;
  field: (typeof studyFields)[number] | null;
  language: (typeof teachingLanguages)[number] | null;
  mode: (typeof studyModes)[number] | null;
  /** A month as YYYY-MM. */
  intake: string | null;
  /** Whole cents of rand, in digits. */
  feeUpTo: string | null;
  /** The required outcome of the student's record; only for students. */
  outcome: Outcome | null;
  /** Null: by title. The order by gaps is only for students. */
  sort: (typeof studentSorts)[number] | null;
  /** The slugs of the programmes to compare, with commas between them. */
  compare: string | null;
};
export type ProgrammeFilter = Omit<ProgrammeView, "sort" | "compare">;
export type ViewProps = { view: ProgrammeView; onChange: (changes: ViewChanges<ProgrammeView>) => void };

/** No words and no filters. */
export const everything: ProgrammeFilter = {
  search: "",
  country: null,
  level: null,
  field: null,
  language: null,
  mode: null,
  intake: null,
  feeUpTo: null,
  outcome: null,
};

const searchLimit = 200;

const oneOf = <Choice extends string>(choices: readonly Choice[], text: string): Choice | null =>
  choices.find((choice) => choice === text) ?? null;

const centsIn = (text: string): string | null =>
  /^\d{1,12}$/.test(text) && Number(text) <= highestAmount ? String(Number(text)) : null;

export function readView(params: URLSearchParams): ProgrammeView {
  const param = (name: keyof ProgrammeView) => params.get(name) ?? "";
  const intake = param("intake");
  return {
    search: param("search").slice(0, searchLimit),
    country: oneOf(studyCountries, param("country")),
    level: oneOf(studyLevels, param("level")),
    field: oneOf(studyFields, param("field")),
    language: oneOf(teachingLanguages, param("language")),
    mode: oneOf(studyModes, param("mode")),
    intake: /^20\d{2}-(0[1-9]|1[0-2])$/.test(intake) ? intake : null,
    feeUpTo: centsIn(param("feeUpTo")),
    outcome: oneOf(outcomes, param("outcome")),
    sort: oneOf(studentSorts, param("sort")),
    compare: slugsIn(param("compare")).join(",") || null,
  };
}

/** Returns the part of a view that everyone shares, without a student's own filters and the comparison. */
const publicPart = (view: ProgrammeView): ProgrammeView => ({
  ...view,
  outcome: null,
  sort: view.sort === "gaps" ? null : view.sort,
  compare: null,
});

/** Returns the query of the address for the part of a view that the server renders. */
export function queryOf(view: ProgrammeView): string {
  const text = new URLSearchParams(write(publicPart(view), { sort: "title" })).toString();
  return text && `?${text}`;
}

/** Whether there are typed filters: their HTML is not cached for others. */
export const isTyped = (params: URLSearchParams): boolean => params.has("search") || params.has("feeUpTo");

/** Returns the view, and a function that changes part of it in the address. */
export const useProgrammeView = () => useAddressView(readView, { sort: "title" });

export const isNarrowed = ({ sort: _sort, compare: _compare, search, ...filters }: ProgrammeView): boolean =>
  search.trim() !== "" || Object.values(filters).some((filter) => filter !== null);

/** Returns the words and filters of a view as input for calls. */
export const filtersOf = (view: ProgrammeView) => ({
  search: view.search.trim(),
  country: view.country ?? undefined,
  level: view.level ?? undefined,
  field: view.field ?? undefined,
  language: view.language ?? undefined,
  mode: view.mode ?? undefined,
  intake: view.intake ?? undefined,
  feeUpTo: view.feeUpTo === null ? undefined : Number(view.feeUpTo),
});

/** Returns the input for the first page of a view's programmes, as a visitor sees them. */
export const programmesInput = (view: ProgrammeView): ProgrammeQuestion => {
  const { sort } = publicPart(view);
  return { ...filtersOf(view), sort: sort === "gaps" ? undefined : (sort ?? undefined) };
};

type Page = Awaited<ReturnType<NonNullable<ReturnType<typeof listQuery>["queryFn"]>>>;
const listQuery = (view: ProgrammeView) =>
  api.programmes.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ ...programmesInput(view), cursor }),
    ...paged,
  });
const countsQuery = (view: ProgrammeView) => api.programmes.counts.queryOptions({ input: filtersOf(view) });

/** Puts the first page of a view and its counts, from the loader, into the cache. */
export function useLoadedProgrammes(
  view: ProgrammeView,
  page: Page | null,
  counts: ProgrammeCounts | null,
): void {
  const pages = useMemo(() => page && { pages: [page], pageParams: [paged.initialPageParam] }, [page]);
  useLoaded(listQuery(view).queryKey, pages);
  useLoaded(countsQuery(view).queryKey, counts);
}

/** Returns the number of programmes that each choice of a filter would leave; until then, the former answer. */
export const useCounts = (view: ProgrammeView) =>
  useQuery({ ...countsQuery(view), placeholderData: keepPreviousData });

/** Returns a student's programmes with the outcomes of their record; sends no query for other viewers. */
export function useStudentProgrammes(view: ProgrammeView) {
  const isStudent = useIsStudent();
  const { data, ...query } = useInfiniteQuery({
    ...api.programmes.forStudent.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...filtersOf(view),
        outcome: view.outcome ?? undefined,
        sort: view.sort ?? "title",
        cursor,
      }),
      ...paged,
    }),
    enabled: isStudent,
    placeholderData: keepPreviousData,
  });
  return {
    ...query,
    programmes: data?.pages.flatMap(({ programmes }) => programmes) ?? null,
    outcomes: data?.pages[0]?.outcomes ?? null,
    corrected: data?.pages[0]?.corrected ?? null,
  };
}

/**
 * Returns the programmes of a view: those compared with the student's record, or else the public list. The current ones
 * stay until the next answer arrives. `corrected` is the search that replaced the typed one.
 */
export function useProgrammes(view: ProgrammeView) {
  const own = useStudentProgrammes(view);
  const isOwn = own.programmes !== null;
  const { data, ...query } = useInfiniteQuery({
    ...listQuery(view),
    // A student needs it only until the comparison has loaded.
    enabled: !isOwn,
    placeholderData: keepPreviousData,
  });
  if (isOwn) return { ...own, isOwn };
  const programmes =
    data?.pages.flatMap((page) => page.programmes).map((each) => ({ ...each, outcome: null, reason: "" })) ??
    null;
  return { ...query, programmes, isOwn, outcomes: null, corrected: data?.pages[0]?.corrected ?? null };
}
export type FoundProgramme = NonNullable<ReturnType<typeof useProgrammes>["programmes"]>[number];
