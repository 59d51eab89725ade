/** Most rows after the headings, cells of a row and characters of a cell that a file may have. */
export const csvLimits = { rows: 5000, columns: 100, cell: 4000 } as const;

/** `number` is the row's number in a spreadsheet, where the headings are row 1. */
type CsvRow = { number: number; cells: readonly string[] };
export type CsvTable = { kind: "table"; headings: readonly string[]; rows: readonly CsvRow[] };
/** `row` is where the file can't be read, counted like `CsvRow.number`. */
export type CsvProblem = { kind: "problem"; row: number; message: string };

/** A character by which spreadsheets would take the cell for a formula, after any apostrophes. */
export const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Takes off the apostrophe that `server/platform/csv.ts` puts before a cell that could begin a formula. */
const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;

const separators = [",", ";", "\t"] as const;

/** Finds the character between the cells of the headings: spreadsheets of many countries write semicolons. */
function separatorOf(text: string): string {
  const headings = text.slice(0, text.search(/[\r\n]|$/)).replaceAll(/"[^"]*"/g, "");
  const count = (separator: string) => headings.split(separator).length;
  return separators.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** A cell and the position after it, or null where its quotation mark is never closed or text follows that. */
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
 * Reads a table of CSV (RFC 4180), as `writeCsv` and spreadsheets write it: with a byte order mark or without, with
 * commas, semicolons or tabs between the cells, and any end of line. Rows without any text are left out. Cells are not
 * trimmed, and a short row has fewer cells than there are headings.
 */
export function readCsv(file: string): CsvTable | CsvProblem {
  const text = file.startsWith("\uFEFF") ? file.slice(1) : file;
  const separator = separatorOf(text);
  const isEnd = (at: number) => at >= text.length || text[at] === separator || /[\r\n]/.test(text[at] ?? "");
  const rows: CsvRow[] = [];
  let at = 0;
  for (let number = 1; at < text.length; number++) {
    const problem = (message: string): CsvProblem => ({ kind: "problem", row: number, message });
    if (rows.length > csvLimits.rows) return problem(`The file has more than ${csvLimits.rows} rows.`);
    const cells: string[] = [];
    for (;;) {
      const read = (text[at] === '"' ? quotedCell : plainCell)(text, at, isEnd);
      if (read === null) return problem("A quotation mark is missing or misplaced.");
      if (read.cell.length > csvLimits.cell)
        return problem(`A cell has more than ${csvLimits.cell} characters.`);
      if (cells.length === csvLimits.columns)
        return problem(`The row has more than ${csvLimits.columns} cells.`);
      cells.push(withoutGuard(read.cell));
      at = read.end;
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (number === 1 || cells.some((cell) => cell.trim() !== "")) rows.push({ number, cells });
  }
  const [head, ...others] = rows;
  const headings = (head?.cells ?? []).map((heading) => heading.trim());
  if (headings.every((heading) => heading === ""))
    return { kind: "problem", row: 1, message: "The file has no headings." };
  const repeated = headings.find(
    (heading, index) =>
      heading !== "" &&
      headings.slice(0, index).some((earlier) => earlier.toLowerCase() === heading.toLowerCase()),
  );
  if (repeated !== undefined)
    return { kind: "problem", row: 1, message: `The heading “${repeated}” appears twice.` };
  return { kind: "table", headings, rows: others };
}
