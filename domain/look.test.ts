import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupLooks, lookReasonLimit, lookReasonProblem, pageOfLooks, viewPause } from "./look.ts";

const minute = 60_000;
const look = (by: string, minutes: number) => ({ by, at: new Date(minutes * minute) });
const textOf = (rows: { by: string; at: Date }[][]) =>
  rows.map((row) => `${row[0]?.by} ${row.map(({ at }) => at.getTime() / minute).join(" ")}`);

describe("groupLooks", () => {
  test("groups one user's looks across those of others", () => {
    const looks = [look("ada", 90), look("bea", 80), look("ada", 60), look("bea", 49), look("ada", 29)];
    expect(textOf(groupLooks(looks))).toEqual(["ada 90 60", "bea 80", "bea 49", "ada 29"]);
  });

  test("keeps looks in one row that are exactly half an hour apart", () => {
    expect(groupLooks([look("ada", viewPause / minute), look("ada", 0)])).toHaveLength(1);
  });
});

describe("pageOfLooks", () => {
  const looks = fc
    .array(fc.record({ by: fc.constantFrom("ada", "bea", "cyd"), gap: fc.integer({ min: 0, max: 50 }) }), {
      maxLength: 60,
    })
    .map((steps) => {
      let at = 10_000;
      return steps.map(({ by, gap }) => look(by, (at -= gap)));
    });

  test("returns the same rows page by page as all together", () => {
    fc.assert(
      fc.property(
        looks,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 7 }),
        (all, least, batch) => {
          const rows = [];
          for (let from = 0; from < all.length; ) {
            let page = null;
            for (let read = batch; page === null; read += batch)
              page = pageOfLooks(all.slice(from, from + read), least, from + read >= all.length);
            expect(page.count).toBeGreaterThan(0);
            rows.push(...page.rows);
            from += page.count;
          }
          expect(textOf(rows).toSorted()).toEqual(textOf(groupLooks(all)).toSorted());
        },
      ),
    );
  });

  test("returns null while a row may continue with older looks", () => {
    const [first, second] = [look("ada", 20), look("ada", 10)];
    expect(pageOfLooks([first, second], 1, false)).toBe(null);
    expect(pageOfLooks([first, second], 1, true)?.count).toBe(2);
    expect(pageOfLooks([], 1, true)).toEqual({ rows: [], count: 0 });
  });
});

test("a reason is required and has a maximum length", () => {
  expect(lookReasonProblem(" \n")).toMatchObject({ code: "form/incomplete", field: "reason" });
  expect(lookReasonProblem(` ${"x".repeat(lookReasonLimit)} `)).toBe(null);
  expect(lookReasonProblem("x".repeat(lookReasonLimit + 1))).toMatchObject({ field: "reason" });
});
