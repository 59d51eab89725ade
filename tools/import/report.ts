import type { Collection } from "./read-export.ts";
import type { Row } from "./row.ts";

/** The outcome of a row: imported (with a list of repairs), imported earlier, or refused. */
type Entry = { row: string; outcome: "mended" | "refused"; notes: readonly string[] };
type Counts = { read: number; taken: number; mended: number; before: number; refused: number };

/** Collects the outcome of every row. It has the ids of rows and the names of fields, but no other data. */
export class Report {
  readonly entries: Entry[] = [];
  readonly counts = new Map<Collection | "bids", Counts>();
  /** Fields that Wayfare doesn't know, such as `users.photo`, with the number of rows that have them. */
  readonly unknownFields = new Map<string, number>();

  taken(row: Row): void {
    const counts = this.#counted(row);
    counts.taken += 1;
    for (const field of row.unknown()) {
      const name = `${row.collection}.${field}`;
      this.unknownFields.set(name, (this.unknownFields.get(name) ?? 0) + 1);
    }
    if (row.mended.length === 0) return;
    counts.mended += 1;
    this.entries.push({ row: row.name, outcome: "mended", notes: row.mended });
  }

  before(row: Row): void {
    this.#counted(row).before += 1;
  }

  refused(row: Row, reason: string): void {
    this.#counted(row).refused += 1;
    this.entries.push({ row: row.name, outcome: "refused", notes: [reason] });
  }

  get refusals(): number {
    return [...this.counts.values()].reduce((sum, { refused }) => sum + refused, 0);
  }

  #counted({ collection }: Row): Counts {
    const counts = this.counts.get(collection) ?? { read: 0, taken: 0, mended: 0, before: 0, refused: 0 };
    counts.read += 1;
    this.counts.set(collection, counts);
    return counts;
  }

  /** Returns the report as readable lines. */
  lines(): string[] {
    const head = ["", "read", "taken", "mended", "earlier", "refused"];
    const table = [...this.counts].map(([name, { read, taken, mended, before, refused }]) =>
      [name, read, taken, mended, before, refused].map(String),
    );
    const columns = ([name = "", ...numbers]: readonly string[]) =>
      [name.padEnd(18), ...numbers.map((number) => number.padStart(8))].join("");
    return [
      ...this.entries.map(({ row, outcome, notes }) => `${outcome} ${printable(row)}: ${notes.join("; ")}`),
      ...[...this.unknownFields].map(([field, rows]) => `not taken over: ${printable(field)} (${rows})`),
      ...(table.length === 0 ? [] : ["", ...[head, ...table].map(columns)]),
    ];
  }

  toJSON() {
    return {
      counts: Object.fromEntries(this.counts),
      unknownFields: Object.fromEntries(this.unknownFields),
      rows: this.entries,
    };
  }
}

/** Users could choose ids, so they must not control the terminal. */
const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
