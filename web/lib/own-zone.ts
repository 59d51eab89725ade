let zone: string | undefined;

/** Returns the device's time zone, as it was when a page first needed it: asking again takes a phone a millisecond. */
export const ownZone = (): string => (zone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);
