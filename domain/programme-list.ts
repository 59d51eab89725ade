/** The sort orders of a list of programmes. Agreements with universities never affect the order. */
export const programmeSorts = ["title", "fee", "deadline"] as const;
export type ProgrammeSort = (typeof programmeSorts)[number];
export const programmeSortLabels: Record<ProgrammeSort, string> = {
  title: "Title",
  fee: "Tuition, lowest first",
  deadline: "Apply by, soonest first",
};

/** The filters whose choices are counted. */
export const programmeFacets = ["country", "level", "field", "language", "mode"] as const;
export type ProgrammeFacet = (typeof programmeFacets)[number];
