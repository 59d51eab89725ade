import { z } from "zod";
import { isInvisible } from "#domain/single-line.ts";
import type { Collection, Fields, OldDocument } from "./read-export.ts";

/** The reason why a row is not imported. Its message is reported, so it names fields, never their content. */
export class RefusedRow extends Error {}

export function refuse(reason: string): never {
  throw new RefusedRow(reason);
}

const fromSeconds = (seconds: number, nanoseconds: number) =>
  seconds * 1000 + Math.floor(nanoseconds / 1_000_000);

/** A time as each of the tools writes it (docs/import.md, "Times"). */
const moment = z.union([
  z.number(),
  z.string().regex(/^\d{4}-\d{2}-\d{2}/),
  z
    .object({ _seconds: z.number(), _nanoseconds: z.number() })
    .transform(({ _seconds: seconds, _nanoseconds: nanoseconds }) => fromSeconds(seconds, nanoseconds)),
  z
    .object({ seconds: z.number(), nanoseconds: z.number() })
    .transform(({ seconds, nanoseconds }) => fromSeconds(seconds, nanoseconds)),
]);
const wrapped = z.object({ __datatype__: z.literal("timestamp"), value: z.unknown() });

/** Returns the time that a value stands for, or null. A text without a zone is read in this process's zone. */
export function momentOf(value: unknown): Date | null {
  const inside = wrapped.safeParse(value);
  const read = moment.safeParse(inside.success ? inside.data.value : value);
  const date = read.success ? new Date(read.data) : null;
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** A row of the older product while it is read. Its repairs are recorded for the report. */
export class Row {
  readonly collection: Collection | "bids";
  /** The row's name in the report. */
  readonly name: string;
  readonly mended: string[] = [];
  readonly #fields: Fields;
  readonly #known = new Set<string>();

  constructor(collection: Collection | "bids", { id, fields }: OldDocument, within: string = collection) {
    this.collection = collection;
    this.name = `${within}/${id}`;
    this.#fields = fields;
  }

  mend(note: string): void {
    if (!this.mended.includes(note)) this.mended.push(note);
  }

  /** Returns the value as exported. */
  value(field: string): unknown {
    this.#known.add(field);
    return this.#fields[field];
  }

  /** Lists the fields that were not read. */
  unknown(): string[] {
    return Object.keys(this.#fields).filter((field) => !this.#known.has(field));
  }

  /** Returns the trimmed text, or "" if it is missing or invisible. */
  text(field: string): string {
    const value = this.value(field) ?? "";
    if (typeof value !== "string" && typeof value !== "number") {
      this.mend(`${field} left empty: it is no text`);
      return "";
    }
    // PostgreSQL accepts no NUL.
    const text = String(value).replaceAll("\u0000", "").trim();
    if (typeof value === "string" && text !== value) this.mend(`${field} trimmed`);
    return isInvisible(text) ? "" : text;
  }

  /** Returns the rewritten value, and records a difference as a repair. */
  rewritten(field: string, text: string, better: string): string {
    if (better !== text) this.mend(`${field} written as Wayfare does`);
    return better;
  }

  /** Returns the form's choice for a text, in any spelling; a text without a choice is returned unchanged. */
  choice(field: string, choices: readonly string[], isMeant: (text: string, one: string) => boolean): string {
    const text = this.text(field);
    return this.rewritten(field, text, choices.find((one) => text !== "" && isMeant(text, one)) ?? text);
  }

  /** Returns a time in the past; null if it is missing, invalid or later than now. */
  past(field: string, now: Date): Date | null {
    const at = this.time(field);
    if (at === null || at <= now) return at;
    this.mend(`${field} left empty: it is in the future`);
    return null;
  }

  time(field: string): Date | null {
    const value = this.value(field);
    const at = momentOf(value);
    if (at === null && value !== undefined && value !== null && value !== "")
      this.mend(`${field} left empty: it is no time`);
    if (at !== null && typeof value === "string" && withoutZone.test(value))
      this.mend(`${field} has no time zone: taken as one of this machine's`);
    return at;
  }

  /** Returns a day as YYYY-MM-DD; other values are returned unchanged. */
  day(field: string): string {
    const value = this.value(field);
    const at = typeof value === "string" && !value.includes("T") ? null : momentOf(value);
    if (at === null) return this.text(field);
    const [day = "", time] = at.toISOString().split("T");
    if (time !== "00:00:00.000Z") return at.toISOString();
    this.mend(`${field} became a day`);
    return day;
  }
}
