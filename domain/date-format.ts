type Style = Pick<Intl.DateTimeFormatOptions, "dateStyle" | "timeStyle">;

/** Returns a function that formats dates. It sets itself up at its first call, which takes a phone some milliseconds. */
function formatter(style: Style, timeZone: "UTC" | undefined) {
  let format: Intl.DateTimeFormat | undefined;
  return (date: Date): string => {
    format ??= new Intl.DateTimeFormat("en-GB", { ...style, timeZone });
    // One month of the twelve has four letters in British English.
    return format.format(date).replace(/Sept\b/, "Sep");
  };
}

/** Formats a day by UTC for sentences, such as 21 November 2026. */
export const formatLongDate = formatter({ dateStyle: "long" }, "UTC");
/** Formats a moment by UTC for sentences, such as 21 November 2026 at 14:05. */
export const formatLongMoment = formatter({ dateStyle: "long", timeStyle: "short" }, "UTC");

/** Dates as people read them everywhere: in this time zone, or in the one of the device. */
export function dateFormats(timeZone: "UTC" | undefined) {
  const formatMoment = formatter({ dateStyle: "medium", timeStyle: "short" }, timeZone);
  const zone = () => new Intl.DateTimeFormat("en-GB", { timeZone }).resolvedOptions().timeZone;
  return {
    /** A day, such as 21 Nov 2026. */
    formatDate: formatter({ dateStyle: "medium" }, timeZone),
    /** A time of day where the day stands above it, such as 14:05. */
    formatTime: formatter({ timeStyle: "short" }, timeZone),
    /** A time of day in a race, such as 14:05:09. */
    formatTimeToTheSecond: formatter({ timeStyle: "medium" }, timeZone),
    /** A moment, such as 21 Nov 2026, 14:05. */
    formatMoment,
    /** To the second, such as 21 Nov 2026, 14:05:09. */
    formatMomentToTheSecond: formatter({ dateStyle: "medium", timeStyle: "medium" }, timeZone),
    /** A moment with the name of its time zone, such as 21 Nov 2026, 14:05 (Africa/Johannesburg). */
    formatMomentInZone: (date: Date): string => `${formatMoment(date)} (${zone().replaceAll("_", " ")})`,
  };
}
