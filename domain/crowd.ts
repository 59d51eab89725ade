/** Watchers from which on a page says how many there are, and milliseconds before the end from which on it does. */
export const crowdLimits = { people: 50, window: 2 * 60_000 } as const;

/** Returns the number of watchers that everyone may read; null for fewer than a crowd. */
export const shownWatching = (people: number): number | null =>
  people >= crowdLimits.people ? people : null;

/** Whether an auction is so near its end that its watchers are counted. Times are in milliseconds. */
export const isCounted = (endDate: number, now: number): boolean =>
  now < endDate && endDate - now <= crowdLimits.window;
