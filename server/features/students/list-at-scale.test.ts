import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StudentRow } from "#contract/students.ts";
import {
  type SortDirection,
  type StudentFilter,
  type StudentSort,
  sortDirections,
  studentFilters,
  studentSorts,
} from "#domain/student-list.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { type StudentQuery, studentPages } from "./list-students.ts";

type Page = { students: StudentRow[]; next: string | null };

const list = async (who: Person, input: object = {}): Promise<Page> => {
  const { status, body } = await who.caller.call("students.list", input);
  expect(status).toBe(200);
  return body as Page;
};
describe("20,000 students", () => {
  let w: Wayfare;
  let kofi: Person;
  beforeAll(async () => {
    w = await wayfare();
    kofi = await person(w, "agent", "approved");
    // Every twentieth student has this agent; names and countries repeat.
    await w.services.database.pool.query(
      `insert into "user" (id, name, email, role, status, country, assigned_agent_id)
       select 's' || n, 'Name' || n % 5000 || ' Of' || n % 77, 's' || n || '@example.org', 'student', 'active',
              'Country ' || n % 190, case when n % 20 = 0 then $1 end
       from generate_series(1, 20000) n`,
      [kofi.id],
    );
    await w.services.database.pool.query(
      `insert into application (id, student_id, program, highest_study_level, country_codes, start_date, additional_info, state)
       select 'a' || n, 's' || n, 'Law', 'Postgraduate', '{}', 'Spring Intake (January)', '',
              case when n % 3 = 0 then 'enrolled' when n % 1000 = 1 then 'visa' else 'inReview' end
       from generate_series(1, 15000) n`,
    );
    await w.services.database.pool.query(
      `insert into document (id, student_id, kind, storage_key, original_name, media_type, size, state)
       select 'd' || n, 's' || n, 'cv', 'd' || n, 'cv.pdf', 'application/pdf', 1,
              case when n % 500 = 0 then 'uploaded' else 'approved' end
       from generate_series(1, 15000) n`,
    );
    // Updates the statistics and empties the pending list of the name index, like autovacuum.
    await w.asOwner("vacuum analyze");
  });
  afterAll(() => w.stop());

  const cases = studentFilters.flatMap((filter) =>
    studentSorts.flatMap((sort) =>
      sortDirections.flatMap((direction) =>
        ["", "ame49", "e4999 o", "of1", "zz", "s4999@ex"].map((search) => ({
          filter,
          sort,
          direction,
          search,
        })),
      ),
    ),
  );

  async function planOf(page: ReturnType<typeof studentPages>[number]): Promise<string> {
    const { sql, params } = page.toSQL();
    const { rows } = await w.services.database.pool.query<{ "QUERY PLAN": string }>(`explain ${sql}`, params);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  test.each(cases)("no scan of all accounts: $filter by $sort $direction, '$search'", async (view) => {
    for (const cursor of [null, ["name3", "s9"]]) {
      const query: StudentQuery = { ...view, cursor };
      for (const page of studentPages(w.services.database.db, kofi.id, query)) {
        const plan = await planOf(page);
        expect(plan).toMatch(/Index/);
        expect(plan).not.toMatch(/Seq Scan/);
      }
    }
  });

  test.each(
    studentSorts.flatMap((sort) =>
      ["ame49", "e4999 o", "of1", "zz", "s4999@ex"].map((search) => ({ sort, search })),
    ),
  )(
    "a search for '$search' by $sort reads the first few in order, then uses the search index",
    async (view) => {
      const query: StudentQuery = { ...view, filter: "all", direction: "ascending", cursor: null };
      const pages = studentPages(w.services.database.db, kofi.id, query);
      expect(pages).toHaveLength(2);
      const [among = "", bySearch = ""] = await Promise.all(pages.map(planOf));
      // The first rows are read in order and cut off, and only then searched.
      expect(among).toMatch(
        /Filter: .*~~.*\n *-> +Limit .*rows=600 .*\n *-> +Index Scan using user_(by|role)_/,
      );
      expect(among).not.toContain("user_search_trigrams");
      expect(bySearch).toContain("Bitmap Index Scan on user_search_trigrams");
    },
  );

  test.each(
    (["documentsToReview", "visa", "inReview", "forAgent", "noApplication"] as const).flatMap((situation) =>
      studentSorts.flatMap((sort) => studentFilters.map((filter) => ({ situation, sort, filter }))),
    ),
  )("no scan of all accounts: those with $situation by $sort, $filter", async (input) => {
    const view = { ...input, search: "", direction: "ascending" as const };
    for (const cursor of [null, ["name3", "s9"]]) {
      const [page] = studentPages(w.services.database.db, kofi.id, { ...view, cursor });
      expect(page && (await planOf(page))).not.toMatch(/Seq Scan on "user"/);
    }
    const { body } = await kofi.caller.call("students.list", { ...input });
    const { students, total } = body as Page & { total: number };
    expect(students).toHaveLength(Math.min(50, total));
  });

  /** Counts the generated students of a view without the database. */
  const expected = (filter: StudentFilter, search: string) =>
    Array.from({ length: 20_000 }, (_, at) => at + 1).filter(
      (n) =>
        (filter === "all" || (filter === "mine") === (n % 20 === 0)) &&
        `name${n % 5000} of${n % 77}`.includes(search.toLowerCase()),
    ).length;

  test.each<[StudentFilter, StudentSort, SortDirection, string]>([
    ["all", "name", "ascending", "name12"],
    ["unassigned", "country", "descending", "NAME12"],
    ["all", "email", "ascending", "of1"],
    ["mine", "country", "ascending", ""],
    ["mine", "name", "descending", ""],
    ["all", "country", "descending", ""],
    ["unassigned", "name", "ascending", ""],
    ["unassigned", "name", "descending", ""],
  ])("%s by %s %s, '%s': pages neither repeat nor miss", async (filter, sort, direction, search) => {
    const ids: string[] = [];
    let last = direction === "ascending" ? "" : "\u{10ffff}";
    let next: string | undefined;
    do {
      const page = await list(kofi, { search, filter, sort, direction, ...(next && { cursor: next }) });
      expect(page.students.length).toBeLessThanOrEqual(50);
      for (const row of page.students) {
        const key = row[sort].toLowerCase();
        expect(inOrder(last, key, direction)).toBe(true);
        last = key;
        ids.push(row.id);
      }
      next = page.next ?? undefined;
    } while (next !== undefined && ids.length < 3000);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(Math.min(expected(filter, search), 3000));
  });
});

const inOrder = (before: string, after: string, direction: SortDirection) =>
  direction === "ascending" ? before <= after : before >= after;
