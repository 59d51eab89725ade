import { formatLongDate } from "#domain/date-format.ts";

const day = 24 * 3_600_000;

/** Days for which a strike counts, the strikes at once that bar an account from trading, and the days of that. */
const strikeRules = { days: 365, most: 3, barDays: 90 } as const;

/** A strike; a lifted one counts as if it had never been. */
export type Strike = { at: Date; until: Date; liftedAt: Date | null };

export const strikeEnds = (at: Date): Date => new Date(at.getTime() + strikeRules.days * day);

/**
 * Returns the moment until which an account neither bids nor sells; null if it never was barred. Whenever a strike is
 * the third that counts at once, it bars the account for 90 days.
 */
export function barredUntil(strikes: readonly Strike[]): Date | null {
  const standing = strikes
    .filter(({ liftedAt }) => liftedAt === null)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const bars = standing.filter(({ at }, place) => {
    const earliest = standing[place - (strikeRules.most - 1)];
    return earliest !== undefined && earliest.until > at;
  });
  const last = bars.at(-1);
  return last ? new Date(last.at.getTime() + strikeRules.barDays * day) : null;
}

/** Says why somebody neither bids nor sells. */
export const barredText = (until: Date): string =>
  `You can't bid or sell until ${formatLongDate(until)}, because of ${strikeRules.most} strikes for sales that fell through or false reports.`;
