import { useHydrated } from "./hydration.ts";

function formatsIn(timeZone: "UTC" | undefined) {
  const zoned = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", ...zoned });
  const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", ...zoned });
  const precise = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", ...zoned });
  const zone = moment.resolvedOptions().timeZone.replaceAll("_", " ");
  return {
    /** A day, such as 21 Nov 2026. */
    formatDate: (date: Date): string => day.format(date),
    /** A moment, such as 21 Nov 2026, 14:05. */
    formatMoment: (date: Date): string => moment.format(date),
    /** To the second, such as 21 Nov 2026, 14:05:09. */
    formatMomentToTheSecond: (date: Date): string => precise.format(date),
    /** A moment with the name of its time zone, such as 21 Nov 2026, 14:05 (Africa/Johannesburg). */
    formatMomentInZone: (date: Date): string => `${moment.format(date)} (${zone})`,
  };
}

const universal = formatsIn("UTC");
const local = formatsIn(undefined);

/** Dates in the viewer's own time zone; in the page from the server, where nobody knows that, in UTC. */
export const useFormats = () => (useHydrated() ? local : universal);
/** The same for what is only ever rendered in a browser. */
export const { formatDate, formatMoment } = local;
