import { guardFormulas } from "#protocol/csv-formulas.ts";

const quoted = /[",;\t\r\n]|^\s|\s$/;

function cell(text: string): string {
  const plain = guardFormulas(text);
  return quoted.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const line = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

/** Columns of a table by heading, in order, each with the function that returns its text for a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/**
 * Writes a table as CSV (RFC 4180): the headings, then the rows, a page at a time. Text that could begin a formula gets
 * an apostrophe, which keeps it text in spreadsheets and which `readCsv` removes.
 */
export async function* writeCsv<Page, Row>(
  columns: Columns<Row>,
  pages: AsyncIterable<Page>,
  rowsOf: (page: Page) => readonly Row[],
): AsyncGenerator<string> {
  const cells = Object.values(columns);
  yield line(Object.keys(columns));
  for await (const page of pages)
    yield rowsOf(page)
      .map((row) => line(cells.map((textOf) => textOf(row))))
      .join("");
}

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = "\uFEFF";

/** Encodes CSV as a file for spreadsheets. */
export async function* csvFile(csv: AsyncIterable<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark);
  for await (const lines of csv) yield Buffer.from(lines);
}
