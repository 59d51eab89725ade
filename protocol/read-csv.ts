import { withoutGuards } from "./csv-formulas.ts";

/** Most rows after the headings, cells of a row and characters of a cell that a file may have. */
export const csvLimits = { rows: 5000, columns: 100, cell: 4000 } as const;
export type CsvLimits = Readonly<Record<keyof typeof csvLimits, number>>;

/** `number` is the row's number in a spreadsheet, where the headings are row 1. */
type CsvRow = { number: number; cells: readonly string[] };
export type CsvTable = { kind: "table"; headings: readonly string[]; rows: readonly CsvRow[] };
/** `row` is the number of the invalid row, counted like `CsvRow.number`. */
export type CsvProblem = { kind: "problem"; row: number; message: string };

const separators = [",", ";", "\t"] as const;

/** Finds the separator of the headings' cells, since spreadsheets of many countries write semicolons. */
function separatorOf(text: string): string {
  const headings = text.slice(0, text.search(/[\r\n]|$/)).replaceAll(/"[^"]*"/g, "");
  const count = (separator: string) => headings.split(separator).length;
  return separators.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** A cell and the position after it, or null if its quotation mark is never closed or is followed by text. */
type ReadCell = { cell: string; end: number } | null;

function quotedCell(text: string, start: number, isEnd: (at: number) => boolean): ReadCell {
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return null;
    if (text[quote + 1] === '"') {
      from = quote + 2;
      continue;
    }
    const end = quote + 1;
    return isEnd(end) ? { cell: text.slice(start + 1, quote).replaceAll('""', '"'), end } : null;
  }
}

function plainCell(text: string, start: number, isEnd: (at: number) => boolean): ReadCell {
  let end = start;
  while (!isEnd(end)) end += 1;
  return { cell: text.slice(start, end), end };
}

/**
 * Parses the rows of CSV (RFC 4180) one by one, the headings first, as `writeCsv` and spreadsheets write it: with or
 * without a byte order mark, with commas, semicolons or tabs between the cells, and any line endings. Rows without text
 * are left out. A problem is the last value that it yields.
 */
export function* csvRows(file: string, limits: CsvLimits = csvLimits): Generator<CsvRow | CsvProblem, void> {
  const text = file.startsWith("\uFEFF") ? file.slice(1) : file;
  const separator = separatorOf(text);
  const isEnd = (at: number) => {
    const character = text[at];
    return character === undefined || character === separator || character === "\r" || character === "\n";
  };
  let at = 0;
  for (let number = 1, count = 0; at < text.length; number++) {
    const problem = (message: string): CsvProblem => ({ kind: "problem", row: number, message });
    if (count > limits.rows) return yield problem(`The file has more than ${limits.rows} rows.`);
    const cells: string[] = [];
    for (;;) {
      const read = (text[at] === '"' ? quotedCell : plainCell)(text, at, isEnd);
      if (read === null) return yield problem("A quotation mark is missing or misplaced.");
      if (read.cell.length > limits.cell)
        return yield problem(`A cell has more than ${limits.cell} characters.`);
      if (cells.length === limits.columns)
        return yield problem(`The row has more than ${limits.columns} cells.`);
      cells.push(withoutGuards(read.cell));
      at = read.end;
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (number > 1 && cells.every((cell) => cell.trim() === "")) continue;
    count++;
    yield { number, cells };
  }
}

/** Returns the trimmed headings, or what is wrong with them. */
export function readHeadings(cells: readonly string[]): readonly string[] | CsvProblem {
  const headings = cells.map((heading) => heading.trim());
  if (headings.every((heading) => heading === ""))
    return { kind: "problem", row: 1, message: "The file has no headings." };
  const repeated = headings.find(
    (heading, index) =>
      heading !== "" &&
      headings.slice(0, index).some((earlier) => earlier.toLowerCase() === heading.toLowerCase()),
  );
  return repeated === undefined
    ? headings
    : { kind: "problem", row: 1, message: `The heading “${repeated}” appears twice.` };
}

/** Parses a whole table of CSV. Cells are not trimmed, and a short row has fewer cells than there are headings. */
export function readCsv(file: string): CsvTable | CsvProblem {
  const rows: CsvRow[] = [];
  for (const row of csvRows(file)) {
    if ("kind" in row) return row;
    rows.push(row);
  }
  const [head, ...others] = rows;
  const headings = readHeadings(head?.cells ?? []);
  return "kind" in headings ? headings : { kind: "table", headings, rows: others };
}
