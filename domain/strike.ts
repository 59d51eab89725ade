import { formatLongDate } from "#domain/date-format.ts";

const day = 24 * 3_600_000;

/** Days for which a strike counts; counting strikes that bar an account from trading; days for which they do. */
const strikeRules = { days: 365, most: 3, barDays: 90 } as const;

/** A strike. A lifted one doesn't count. */
export type Strike = { at: Date; until: Date; liftedAt: Date | null };

export const strikeEnds = (at: Date): Date => new Date(at.getTime() + strikeRules.days * day);

/**
 * Returns the time until which an account may not bid or sell, or null if it was never barred. A strike with at least
 * two others that still count bars the account for 90 days.
 */
export function barredUntil(strikes: readonly Strike[]): Date | null {
  const active = strikes
    .filter(({ liftedAt }) => liftedAt === null)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const bars = active.filter(({ at }, index) => {
    const earliest = active[index - (strikeRules.most - 1)];
    return earliest !== undefined && earliest.until > at;
  });
  const last = bars.at(-1);
  return last ? new Date(last.at.getTime() + strikeRules.barDays * day) : null;
}

/** Returns the message that says why a user may not bid or sell. */
export const barredText = (until: Date): string =>
  `You can't bid or sell until ${formatLongDate(until)}, because of ${strikeRules.most} strikes for sales that fell through or false reports.`;
