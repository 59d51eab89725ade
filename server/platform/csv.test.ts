import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv } from "#protocol/read-csv.ts";
import { csvFile, writeCsv } from "./csv.ts";

type Row = readonly [first: string, second: string];

async function* pagesOf(rows: readonly Row[]) {
  yield rows.slice(0, 2);
  yield rows.slice(2);
}

/** Returns a table of two columns as CSV. */
async function csvOf(rows: readonly Row[]): Promise<string> {
  const columns = { First: ([first]: Row) => first, "Second, too": ([, second]: Row) => second };
  return (await Array.fromAsync(writeCsv(columns, pagesOf(rows), (page) => page))).join("");
}

const lineOf = async (first: string, second = "") =>
  (await csvOf([[first, second]])).slice('First,"Second, too"\r\n'.length);

test("cells are quoted where they need it", async () => {
  expect(await lineOf("plain", "a, b")).toBe('plain,"a, b"\r\n');
  expect(await lineOf('say "hi"', "two\nlines")).toBe('"say ""hi""","two\nlines"\r\n');
  expect(await lineOf("", " room ")).toBe('," room "\r\n');
});

test.each(["=1+1", "+27 82 555", "-2", "@SUM(A1)", "\t1", "\r1", "\n1", "＝1"])(
  "keeps %j from being a formula",
  async (text) => expect((await lineOf(text)).replaceAll('"', "")).toBe(`'${text},\r\n`),
);

test.each([
  ["x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"],
  ["x\t=1", "x\t'=1"],
  ["x\r\n+1;-1", "x\r\n'+1;'-1"],
  ["\t=1", "'\t'=1"],
])("keeps %j from being a formula where a semicolon, a tab or a line ends a cell", async (text, guarded) =>
  expect(await lineOf(text)).toBe(`"${guarded}",\r\n`),
);

test("leaves text alone that has such characters only inside", async () => {
  expect(await lineOf("a=1", "1-2")).toBe("a=1,1-2\r\n");
  expect(await lineOf("o'clock", "x@y.example")).toBe("o'clock,x@y.example\r\n");
});

const hostileText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from("\",;\r\n\t =+-@'a")),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
  maxLength: 8,
});

test("rows of any text are read back with their cells", async () => {
  // Rows without any text are left out.
  const visible = hostileText.filter((text) => text.trim() !== "");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(visible, hostileText), { maxLength: 5 }), async (rows) => {
      const table = readCsv(`\uFEFF${await csvOf(rows)}`);
      expect(table).toEqual({
        kind: "table",
        headings: ["First", "Second, too"],
        rows: rows.map((cells, index) => ({ number: index + 2, cells })),
      });
    }),
  );
});

/** Reads cells as spreadsheets do: a quotation mark only counts at the start of a cell. */
function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= file.length; at++) {
    let cell = "";
    if (file[at] === '"') {
      for (at++; at < file.length; at++) {
        if (file[at] !== '"') cell += file[at];
        else if (file[at + 1] === '"') cell += file[at++];
        else break;
      }
      at++;
    }
    for (; at < file.length && !`${separator}\r\n`.includes(file[at] ?? ""); at++) cell += file[at];
    cells.push(cell);
  }
  return cells;
}

test.each([",", ";", "\t"])("rows of any text hold no formula where %j ends a cell", async (separator) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(hostileText, hostileText), { maxLength: 5 }), async (rows) => {
      // A sign after a space begins no formula.
      const formulas = cellsOf(await csvOf(rows), separator).filter((cell) => /^[\t\r\n]*[=+\-@]/.test(cell));
      expect(formulas).toEqual([]);
    }),
  );
});

test("a file for spreadsheets begins with the byte order mark of UTF-8", async () => {
  const file = Buffer.concat(await Array.fromAsync(csvFile(writeCsv({}, pagesOf([]), (page) => page))));
  expect(file).toEqual(Buffer.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a]));
});
