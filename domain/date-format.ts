// These dates are written without `Intl`, whose first use takes a slow phone 50 to 100 ms.

const months = "January February March April May June July August September October November December".split(
  " ",
);

type Zone = "UTC" | undefined;

/** Returns date and time of day in the zone as ISO 8601; `undefined` is the device's zone. */
function clockText(date: Date, zone: Zone): string {
  const minutesBehind = zone === "UTC" ? 0 : date.getTimezoneOffset();
  return new Date(date.getTime() - minutesBehind * 60_000).toISOString();
}

/** Formats the day of an ISO text, with the month cut to `letters` letters; all by default. */
function dayText(iso: string, letters?: number): string {
  const month = months[Number(iso.slice(5, 7)) - 1]?.slice(0, letters);
  return `${Number(iso.slice(8, 10))} ${month} ${iso.slice(0, 4)}`;
}

const minuteText = (iso: string): string => iso.slice(11, 16);
const secondText = (iso: string): string => iso.slice(11, 19);

/** Formats a day in UTC for sentences, such as 21 November 2026. */
export const formatLongDate = (date: Date): string => dayText(clockText(date, "UTC"));

/** Formats a moment in UTC for sentences, such as 21 November 2026 at 14:05. */
export const formatLongMoment = (date: Date): string =>
  `${formatLongDate(date)} at ${minuteText(clockText(date, "UTC"))}`;

/** Returns the name of the device's time zone. Temporal, which not every browser has yet, is faster than Intl. */
const deviceZone = (): string =>
  "Temporal" in globalThis ? Temporal.Now.timeZoneId() : new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the formats of dates in a time zone; `undefined` is the device's. */
export function dateFormats(zone: Zone) {
  let name: string | undefined = zone;
  const formatDate = (date: Date): string => dayText(clockText(date, zone), 3);
  const formatTime = (date: Date): string => minuteText(clockText(date, zone));
  const formatTimeToTheSecond = (date: Date): string => secondText(clockText(date, zone));
  const formatMoment = (date: Date): string => `${formatDate(date)}, ${formatTime(date)}`;
  const zoneName = (): string => (name ??= deviceZone());
  return {
    /** The zone's name, such as Africa/Johannesburg. The device's is cached on first use. */
    zoneName,
    /** A day, such as 21 Nov 2026. */
    formatDate,
    /** A time of day for entries listed under their day, such as 14:05. */
    formatTime,
    /** A time of day to the second, such as 14:05:09. */
    formatTimeToTheSecond,
    /** A moment, such as 21 Nov 2026, 14:05. */
    formatMoment,
    /** A moment to the second, such as 21 Nov 2026, 14:05:09. */
    formatMomentToTheSecond: (date: Date): string => `${formatDate(date)}, ${formatTimeToTheSecond(date)}`,
    /** A moment with the name of its time zone, such as 21 Nov 2026, 14:05 (Africa/Johannesburg). */
    formatMomentInZone: (date: Date): string => `${formatMoment(date)} (${zoneName().replaceAll("_", " ")})`,
  };
}
