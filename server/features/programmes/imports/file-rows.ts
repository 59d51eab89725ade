import { importLimits } from "#domain/catalogue.ts";
import { type CsvProblem, csvRows, readHeadings } from "#protocol/read-csv.ts";
import { requiredColumns, rowOfCells } from "./csv-columns.ts";
import { type FileRow, jsonRows, UnreadableFile } from "./json-rows.ts";

export const fileFormats = ["json", "csv"] as const;
export type FileFormat = (typeof fileFormats)[number];

const csvLimits = { rows: importLimits.rows, columns: 100, cell: importLimits.cell };
const unreadable = ({ row, message }: CsvProblem) => new UnreadableFile(`Row ${row}: ${message}`);

function textOf(bytes: Buffer): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // The bytes are not UTF-8.
  }
  throw new UnreadableFile("This isn't a CSV file in UTF-8. In Excel, save it as “CSV UTF-8”.");
}

function* readRows(bytes: Buffer): Generator<FileRow> {
  let columnIndexes: Map<string, number> | null = null;
  for (const row of csvRows(textOf(bytes), csvLimits)) {
    if ("kind" in row) throw unreadable(row);
    if (columnIndexes === null) {
      const headings = readHeadings(row.cells);
      if ("kind" in headings) throw unreadable(headings);
      const columns = new Map(headings.map((heading, at) => [heading.toLowerCase(), at]));
      const missing = requiredColumns.find((column) => !columns.has(column.toLowerCase()));
      if (missing !== undefined) throw new UnreadableFile(`The file has no column called “${missing}”.`);
      if (columns.has("deadlines") && !columns.has("intakes"))
        throw new UnreadableFile("The file has a column called “Deadlines” and none called “Intakes”.");
      columnIndexes = columns;
      continue;
    }
    const indexes = columnIndexes;
    const cell = (heading: string) => {
      const index = indexes.get(heading.toLowerCase());
      return index === undefined ? undefined : (row.cells[index] ?? "").trim();
    };
    yield { number: row.number, ...rowOfCells(cell) };
  }
}

/**
 * Reads a file of programmes row by row. JSON rows are numbered from 1, CSV rows as in a spreadsheet. `onSource` gets
 * the source of a JSON file that names one for all. Throws `UnreadableFile`.
 */
export function* fileRows(
  bytes: Buffer,
  format: FileFormat,
  onSource: (source: string) => void,
): Generator<FileRow> {
  let count = 0;
  for (const row of format === "json" ? jsonRows(bytes, onSource) : readRows(bytes)) {
    count++;
    if (count > importLimits.rows)
      throw new UnreadableFile(`The file has more than ${importLimits.rows} programmes.`);
    yield row;
  }
}
