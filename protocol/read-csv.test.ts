import { describe, expect, test } from "vitest";
import { csvLimits, readCsv } from "./read-csv.ts";

const rowsOf = (file: string) => {
  const table = readCsv(file);
  return table.kind === "table" ? table.rows.map(({ cells }) => cells) : table;
};

test.each([
  ["commas", "Name,Email\r\nAda,ada@example.org\r\n"],
  ["semicolons", "Name;Email\r\nAda;ada@example.org"],
  ["tabs", "Name\tEmail\nAda\tada@example.org\n"],
  ["old line endings and a byte order mark", "\uFEFFName,Email\rAda,ada@example.org\r"],
  ["quotes", '"Name" , "Email"\n"Ada","ada@example.org"'.replace(" , ", ",").replace(' "', '"')],
])("parses a file with %s", (_, file) => {
  expect(readCsv(file)).toEqual({
    kind: "table",
    headings: ["Name", "Email"],
    rows: [{ number: 2, cells: ["Ada", "ada@example.org"] }],
  });
});

test("rows keep their numbers beside empty ones, and a cell may contain line breaks, quotes and separators", () => {
  expect(readCsv('Name,Note\n\n"Obi, Ada","says ""hi""\r\nand goes"\n , \nBea')).toEqual({
    kind: "table",
    headings: ["Name", "Note"],
    rows: [
      { number: 3, cells: ["Obi, Ada", 'says "hi"\r\nand goes'] },
      { number: 5, cells: ["Bea"] },
    ],
  });
});

test("removes the apostrophe before a formula, and no other", () => {
  expect(rowsOf("Name\n'=1+1\n''=1\n'tis\n'+27 82\n'")).toEqual([
    ["=1+1"],
    ["'=1"],
    ["'tis"],
    ["+27 82"],
    ["'"],
  ]);
});

describe("the problem of an invalid file names the row", () => {
  test.each([
    ["", 1, "The file has no headings."],
    ["\n\nAda", 1, "The file has no headings."],
    ["Name,name\nAda,Bea", 1, "The heading “name” appears twice."],
    ['Name\nAda\n"Bea', 3, "A quotation mark is missing or misplaced."],
    ['Name\n"Ada" Obi', 2, "A quotation mark is missing or misplaced."],
    [`Name\n${"x".repeat(csvLimits.cell + 1)}`, 2, "A cell has more than 4000 characters."],
    [`Name\n${",".repeat(csvLimits.columns)}`, 2, "The row has more than 100 cells."],
    [`Name${"\nAda".repeat(csvLimits.rows + 1)}`, csvLimits.rows + 2, "The file has more than 5000 rows."],
  ])("%#", (file, row, message) => {
    expect(readCsv(file)).toEqual({ kind: "problem", row, message });
  });

  test("the largest file has none", () => {
    expect(rowsOf(`Name${"\nAda".repeat(csvLimits.rows)}`)).toHaveLength(csvLimits.rows);
  });
});
