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

/** Returns the day so many months before a day. A day that the month lacks becomes its last. */
export function monthsBefore(day: string, months: number): string {
  const total = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const [year, month] = [Math.floor(total / 12), (total % 12) + 1];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const date = Math.min(Number(day.slice(8)), last);
  return `${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
}
