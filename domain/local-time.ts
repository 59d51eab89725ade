const minute = 60_000;
const day = 24 * 60 * minute;

/** The time on a clock of some zone: a day as YYYY-MM-DD and the time of day as HH:MM. */
export type LocalTime = { date: string; time: string };

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the cached format of a zone, since it is slow to create. There are only as many as the system has zones. */
function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (clock) return clock;
  clock = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    calendar: "iso8601",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  clocks.set(zone, clock);
  return clock;
}

/** Returns the IANA name of a time zone as the system spells it, or null if it knows no such zone. */
export function timeZoneNamed(text: string): string | null {
  // The system also accepts offsets such as +02:00, which have no summer time.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,59}$/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Returns the local time of a moment as if it were in UTC, in milliseconds since 1970. */
function wallClock(zone: string, moment: number): number {
  const parts = clockOf(zone).formatToParts(moment);
  const figure = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(
    figure("year"),
    figure("month") - 1,
    figure("day"),
    figure("hour"),
    figure("minute"),
    figure("second"),
  );
}

/** Returns a zone's local time at a moment, to the minute. */
export function localTime(zone: string, moment: Date): LocalTime {
  const [date = "", time = ""] = new Date(wallClock(zone, moment.getTime())).toISOString().split("T");
  return { date, time: time.slice(0, 5) };
}

/**
 * Returns the moment at which a zone's clock first shows this time. For a time that the clock skips, returns the moment
 * at which it jumps; for a time that occurs twice, the earlier one.
 */
export function instantOf(zone: string, { date, time }: LocalTime): Date {
  const wall = Date.parse(`${date}T${time}:00Z`);
  // No zone is a day away from UTC, so a clock change around this time lies between the two.
  let before = wall - day;
  let after = wall + day;
  const offsets = [before, after].map((moment) => wallClock(zone, moment) - moment);
  const moments = offsets.map((offset) => wall - offset).filter((at) => wallClock(zone, at) === wall);
  if (moments.length > 0) return new Date(Math.min(...moments));
  // The clock skips this time: the change is the first minute at which it shows a later one.
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / 2 / minute) * minute;
    if (wallClock(zone, middle) > wall) after = middle;
    else before = middle;
  }
  return new Date(after);
}

/** Returns the day `days` later (if negative, earlier), as YYYY-MM-DD. */
export const daysFrom = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);

/** Returns the number of calendar days from one day to another: 1 from a day to the next. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / day);
