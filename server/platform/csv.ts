import { guardFormulas } from "#protocol/csv-formulas.ts";

const quoted = /[",;\t\r\n]|^\s|\s$/;

function cell(text: string): string {
  const plain = guardFormulas(text);
  return quoted.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const line = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

/** The columns of a table by their headings, in their order: each takes its text from a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/**
 * Writes a table as CSV (RFC 4180): the headings, then the rows of a page at a time. An apostrophe before a text that
 * could begin a formula keeps it a text in spreadsheets; `readCsv` takes it off again.
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
