/** Whether a text is a day of the calendar as YYYY-MM-DD: 2024-02-29 is one, 2023-02-29 is none. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The day of a moment, in UTC. */
export const calendarDate = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Returns the same day so many years later, or earlier, as text, so that days compare with < and >. */
export const yearsFrom = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) + years).padStart(4, "0")}${day.slice(4)}`;
