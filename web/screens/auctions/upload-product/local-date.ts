const two = (number: number): string => String(number).padStart(2, "0");

/** Formats a moment for a `datetime-local` input: in the device's time zone, to the minute. */
export const localInput = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;

/** Parses the moment of a `datetime-local` input; null for anything else. */
export function localDate(text: string): Date | null {
  const date = /^\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text) : null;
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

/** Returns the same time of day this many days later, on the device's clock. */
export function inDays(date: Date, days: number): Date {
  const later = new Date(date);
  later.setDate(later.getDate() + days);
  return later;
}
