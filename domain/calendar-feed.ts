import type { Deadline } from "#domain/deadline.ts";
import { daysFrom } from "#domain/local-time.ts";

/** An entry of a calendar. `id` never changes, and consists of letters, digits, colons and hyphens. */
export type CalendarEntry = { id: string; title: string; due: Deadline & { at: Date } };

/** Most bytes of a line in a calendar (RFC 5545). */
const lineLength = 75;
const encoder = new TextEncoder();

/** Breaks a long line between characters; each continuation line begins with a space. */
function folded(line: string): string {
  let text = "";
  let length = 0;
  for (const character of line) {
    const bytes = encoder.encode(character).length;
    if (length + bytes > lineLength) {
      text += "\r\n ";
      length = 1;
    }
    text += character;
    length += bytes;
  }
  return text;
}

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (character) => `\\${character}`).replaceAll(/\s+/g, " ");

const compact = (text: string): string => text.replaceAll(/[-:]|\.\d+/g, "");

/** An entry's day, or its moment if it has a time. */
type Moment = Pick<Deadline, "date" | "time"> & { at: Date };

function eventOf(
  { id, due }: { id: string; due: Moment },
  summary: string,
  more: readonly string[] = [],
): string[] {
  // The stamp only changes with the deadline, so that an unchanged calendar stays the same, byte for byte.
  const when =
    due.time === null
      ? [`DTSTART;VALUE=DATE:${compact(due.date)}`, `DTEND;VALUE=DATE:${compact(daysFrom(due.date, 1))}`]
      : [`DTSTART:${compact(due.at.toISOString())}`, `DTEND:${compact(due.at.toISOString())}`];
  return [
    "BEGIN:VEVENT",
    `UID:${id.replaceAll(":", "-")}@wayfare`,
    `DTSTAMP:${compact(due.at.toISOString())}`,
    ...when,
    `SUMMARY:${escaped(summary)}`,
    ...more,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

const calendarOf = (properties: readonly string[], events: readonly string[]): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Wayfare//Deadlines//EN",
    "CALSCALE:GREGORIAN",
    ...properties,
    ...events,
    "END:VCALENDAR",
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join("");

/** Returns a calendar of titles and times only (RFC 5545). Times are in UTC; the end of a day is the whole day. */
export const calendarText = (entries: readonly CalendarEntry[]): string =>
  calendarOf(
    ["X-WR-CALNAME:Wayfare", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"],
    entries.flatMap((entry) => eventOf(entry, `Due: ${entry.title}`)),
  );

/** The end of an auction. `id` never changes, so that a later file moves the entry. `url` is the item's page. */
type AuctionEnd = { id: string; title: string; endsAt: Date; url: string };

/** Returns a calendar file with the end of one auction, and a reminder an hour before. */
export const endText = ({ id, title, endsAt, url }: AuctionEnd): string =>
  calendarOf(
    [],
    eventOf({ id, due: { at: endsAt, date: "", time: "" } }, `Ends: ${title}`, [
      `URL:${url}`,
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      `DESCRIPTION:${escaped(`Ends: ${title}`)}`,
      "TRIGGER:-PT1H",
      "END:VALARM",
    ]),
  );

/** Returns the first letters of a name's parts. */
export const initials = (name: string): string => name.split(/\s+/u).map(firstLetter).join("");

const firstLetter = (word: string): string => (/^./u.exec(word)?.[0] ?? "").toUpperCase();

const lettersOf = /[\p{L}\p{M}]+/gu;
const plain = (word: string): string => word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Replaces the parts of a person's name in a text with their first letters, ignoring accents and case. */
export function withoutName(text: string, name: string): string {
  const parts = new Set(name.match(lettersOf)?.map(plain));
  return text.replaceAll(lettersOf, (word) => (parts.has(plain(word)) ? firstLetter(word) : word));
}
