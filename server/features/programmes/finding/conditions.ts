import type pg from "pg";
import { z } from "zod";
import type { ProgrammeQuestion } from "#contract/programmes.ts";
import { type ProgrammeSort, programmeFacets } from "#domain/programme-list.ts";
import { type Cursor, cursorForm } from "#server/platform/keyset-list.ts";
import type { Vocabulary } from "#server/platform/search-query.ts";
import { noAmount } from "../tables.ts";

/** The filters of programmes besides words. */
export type ProgrammeFilters = Omit<ProgrammeQuestion, "search" | "sort">;

/** Adds a value to a statement, and returns its placeholder. */
export type AddParameter = (value: unknown) => string;
export type Statement = pg.QueryConfig<unknown[]>;

/** Writes a statement as text that the driver takes unchanged, like the statements of auctions. */
export function statement(name: string | undefined, write: (bind: AddParameter) => string): Statement {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return { ...(name !== undefined && { name }), text, values };
}

/** An order in terms of its index. Programmes that nobody has checked for long come last. */
type Order = { key: string; cast: string; cursor: z.ZodType<Cursor> };
const isStale = z.enum(["true", "false"]);
const wholeNumber = z.string().regex(/^\d{1,16}$/);
export const orders: Record<ProgrammeSort, Order> = {
  title: { key: "title_key", cast: "text", cursor: cursorForm(isStale, "text", "uuid") },
  fee: { key: "tuition_rand", cast: "bigint", cursor: cursorForm(isStale, wholeNumber, "uuid") },
  deadline: { key: "apply_by", cast: "timestamptz", cursor: cursorForm(isStale, "time", "uuid") },
};

/** The words of titles and institutions. A word counts while it finds a programme. */
export const programmeWords: Vocabulary = {
  words: "programme_word",
  isFound: "exists (select from programme_listing where not removed and search @@ $word)",
};

/** Number of programmes that a search reads first in the requested order, which is enough for common matches. */
export const inOrderSearchLimit = 1_500;

/** Returns the filters in the form of the search index, each in single quotes. */
const filterTerms = (filters: ProgrammeFilters): string[] =>
  [...programmeFacets.map((facet) => filters[facet]), filters.intake].flatMap((value) =>
    value === undefined ? [] : [`'/${value}'`],
  );
const filterQuery = (filters: ProgrammeFilters): string => filterTerms(filters).join(" & ");

/** Returns the condition that a programme misses at most one of the facet filters; none for a single filter. */
export function matchesMostRows(facets: ProgrammeFilters, bind: AddParameter): string[] {
  const terms = filterTerms(facets);
  if (terms.length < 2) return [];
  const others = terms.map((each) => `(${terms.filter((term) => term !== each).join(" & ")})`);
  return [`search @@ ${bind(others.join(" | "))}::tsquery`];
}

/** Whether any filter narrows the list. */
export const isNarrowed = (filters: ProgrammeFilters): boolean =>
  filterQuery(filters) !== "" || filters.feeUpTo !== undefined;

/** The words and filters that a programme must have, as one `tsquery`. */
type Lookup = { query: string; mayBeEmpty: boolean };

/**
 * Returns the words (a `tsquery`, or null) and the filters as one query of the search index; null without any.
 * PostgreSQL drops words like "the", so a query of words alone may be empty, which finds everything.
 */
export function lookupOf(words: string | null, filters: ProgrammeFilters, bind: AddParameter): Lookup | null {
  const filter = filterQuery(filters);
  if (words === null) return filter === "" ? null : { query: `${bind(filter)}::tsquery`, mayBeEmpty: false };
  const search = `to_tsquery('auction_search', ${bind(words)})`;
  return filter === ""
    ? { query: search, mayBeEmpty: true }
    : { query: `(${search} && ${bind(filter)}::tsquery)`, mayBeEmpty: false };
}

/** Returns the condition that a programme has the words and filters. */
const isFound = ({ query, mayBeEmpty }: Lookup): string =>
  mayBeEmpty ? `(search @@ ${query} or numnode(${query}) = 0)` : `search @@ ${query}`;

/** Returns the condition for a maximum fee. Programmes whose tuition in rand is unknown meet it too. */
export const withinBudget = (feeUpTo: number, bind: AddParameter, column = "tuition_rand"): string =>
  `(${column} <= ${bind(feeUpTo)} or ${column} = ${noAmount})`;

/** Returns all conditions of words and filters. */
export function conditions(
  words: string | null,
  filters: ProgrammeFilters,
  bind: AddParameter,
  feeColumn = "tuition_rand",
): string[] {
  const lookup = lookupOf(words, filters, bind);
  return [
    ...(lookup ? [isFound(lookup)] : []),
    ...(filters.feeUpTo === undefined ? [] : [withinBudget(filters.feeUpTo, bind, feeColumn)]),
  ];
}

/** Returns the condition that a row comes after the cursor. */
export function beyond({ key, cast }: Order, cursor: Cursor | null, bind: AddParameter): string[] {
  if (cursor === null) return [];
  const [stale, last, id] = cursor;
  return [`(stale, ${key}, id) > (${bind(stale)}::boolean, ${bind(last)}::${cast}, ${bind(id)}::uuid)`];
}
