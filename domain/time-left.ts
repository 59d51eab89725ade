const second = 1000;
const twoDigits = (number: number) => String(number).padStart(2, "0");

const hoursOfDay = 24;

/**
 * Formats the time until an auction's end: hours, minutes and seconds, such as 5h 04m 09s, or above a day 2 days 23 h.
 * Rounds up to seconds, and returns null only once the end has come.
 */
export function timeLeftText(milliseconds: number): string | null {
  if (milliseconds <= 0) return null;
  const seconds = Math.ceil(milliseconds / second);
  const hours = Math.floor(seconds / 3600);
  if (seconds > hoursOfDay * 3600) {
    const days = Math.floor(hours / hoursOfDay);
    return `${days} ${days === 1 ? "day" : "days"} ${hours % hoursOfDay} h`;
  }
  return `${hours}h ${twoDigits(Math.floor(seconds / 60) % 60)}m ${twoDigits(seconds % 60)}s`;
}

const minute = 60 * second;

/** The urgency of an auction that is shown: in its last hour, and in its last five minutes. */
export type Urgency = "lastHour" | "lastMinutes";
export function urgencyOf(milliseconds: number): Urgency | undefined {
  if (milliseconds <= 0 || milliseconds > 60 * minute) return undefined;
  return milliseconds > 5 * minute ? "lastHour" : "lastMinutes";
}
