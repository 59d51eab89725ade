/** On the server, where nobody knows the viewer's. */
const universal = import.meta.env?.SSR ? { timeZone: "UTC" } : {};
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", ...universal });

/** A day in the viewer's own time zone, such as 21 Nov 2026. */
export const formatDate = (date: Date): string => day.format(date);

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", ...universal });
const zone = moment.resolvedOptions().timeZone.replaceAll("_", " ");

/** A moment in the viewer's own time zone, such as 21 Nov 2026, 14:05; from the server 21 Nov 2026, 12:05 UTC. */
export const formatMoment = (date: Date): string =>
  import.meta.env?.SSR ? `${moment.format(date)} ${zone}` : moment.format(date);

/** The same with the name of that time zone, such as 21 Nov 2026, 14:05 (Africa/Johannesburg). */
export const formatMomentInZone = (date: Date): string => `${moment.format(date)} (${zone})`;
