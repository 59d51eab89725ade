/** Whether a text is an existing day as YYYY-MM-DD: 2024-02-29 is, 2023-02-29 isn't. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Returns the UTC day of a moment, as YYYY-MM-DD. */
export const calendarDate = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Returns the same day `years` later (if negative, earlier), as text that compares with < and >. */
export const yearsFrom = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) + years).padStart(4, "0")}${day.slice(4)}`;

/** Returns the day `months` before a day. A day that the month lacks becomes its last. */
export function monthsBefore(day: string, months: number): string {
  const total = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const [year, month] = [Math.floor(total / 12), (total % 12) + 1];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const date = Math.min(Number(day.slice(8)), last);
  return `${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
}
