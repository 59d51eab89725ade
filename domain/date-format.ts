/** Dates as people read them everywhere: in this time zone, or in the one of the device. */
export function dateFormats(timeZone: "UTC" | undefined) {
  const zoned = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", ...zoned });
  const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", ...zoned });
  const precise = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", ...zoned });
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", ...zoned });
  const timeToTheSecond = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", ...zoned });
  const zone = moment.resolvedOptions().timeZone.replaceAll("_", " ");
  // One month of the twelve has four letters in British English.
  const format = (format: Intl.DateTimeFormat, date: Date) => format.format(date).replace("Sept", "Sep");
  return {
    /** A day, such as 21 Nov 2026. */
    formatDate: (date: Date): string => format(day, date),
    /** A time of day where the day stands above it, such as 14:05. */
    formatTime: (date: Date): string => time.format(date),
    /** A time of day in a race, such as 14:05:09. */
    formatTimeToTheSecond: (date: Date): string => timeToTheSecond.format(date),
    /** A moment, such as 21 Nov 2026, 14:05. */
    formatMoment: (date: Date): string => format(moment, date),
    /** To the second, such as 21 Nov 2026, 14:05:09. */
    formatMomentToTheSecond: (date: Date): string => format(precise, date),
    /** A moment with the name of its time zone, such as 21 Nov 2026, 14:05 (Africa/Johannesburg). */
    formatMomentInZone: (date: Date): string => `${format(moment, date)} (${zone})`,
  };
}
