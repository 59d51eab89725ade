/** Fewest watchers whose number is shown, and milliseconds before the end in which it is. */
export const crowdLimits = { people: 50, window: 2 * 60_000 } as const;

/** Returns the number of watchers that everyone may see, or null if there are fewer than a crowd. */
export const visibleWatcherCount = (people: number): number | null =>
  people >= crowdLimits.people ? people : null;

/** Whether an auction is so near its end that its watchers are counted. Times are in milliseconds. */
export const isCounted = (endDate: number, now: number): boolean =>
  now < endDate && endDate - now <= crowdLimits.window;
