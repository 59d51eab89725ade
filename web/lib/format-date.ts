import { dateFormats } from "#domain/date-format.ts";
import { useHydrated } from "./hydration.ts";

const universal = dateFormats("UTC");
const local = dateFormats(undefined);

/** Dates in the viewer's own time zone; in the page from the server, where nobody knows that, in UTC. */
export const useFormats = () => (useHydrated() ? local : universal);
/** The same for what is only ever rendered in a browser. */
export const { formatDate, formatMoment } = local;
