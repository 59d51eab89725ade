import { dateFormats } from "#domain/date-format.ts";
import { useHydrated } from "./hydration.ts";

const universal = dateFormats("UTC");
const local = dateFormats(undefined);

/** Formats dates in the viewer's time zone, and in UTC in the server's HTML, where that zone is unknown. */
export const useFormats = () => (useHydrated() ? local : universal);
/** The formats of the viewer's time zone, for parts that only render in a browser. */
export const { formatDate, formatMoment, formatMomentInZone, formatTime, zoneName: ownZone } = local;

/** Formats a day that is YYYY-MM-DD, which is the same in every time zone. */
export const formatDay = (day: string): string => universal.formatDate(new Date(`${day}T00:00:00Z`));
