/** The zone of the device. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
