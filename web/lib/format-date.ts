const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** A day in the viewer's own time zone, such as 21 Nov 2026. */
export const formatDate = (date: Date): string => day.format(date);

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** A moment in the viewer's own time zone, such as 21 Nov 2026, 14:05. */
export const formatMoment = (date: Date): string => moment.format(date);

/** The same with the name of that time zone, such as 21 Nov 2026, 14:05 (Africa/Johannesburg). */
export const formatMomentInZone = (date: Date): string =>
  `${formatMoment(date)} (${moment.resolvedOptions().timeZone.replaceAll("_", " ")})`;
