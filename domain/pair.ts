/**
 * Signs that a bidder's bids on one seller's items may not be genuine. None proves anything: families share a network,
 * and collectors follow one dealer.
 */
export const pairSigns = ["oneSeller", "neverWon", "sameNetwork", "madeTogether", "narrowlyBeaten"] as const;
export type PairSign = (typeof pairSigns)[number];

/** Fewest common auctions of a pair, fewest signs to list it, days of the period, and most pairs that are listed. */
export const pairLimits = { common: 3, signs: 2, days: 180, listed: 100 } as const;

/**
 * The counts of a bidder and a seller. `all`: auctions that the bidder bid on; `common`: those of this seller. Of the
 * common ones, `closed` have ended, `won` are the bidder's (even if the sale fell through), and `narrow` were lost by
 * less than 5%.
 */
export type PairFacts = {
  common: number;
  all: number;
  closed: number;
  won: number;
  narrow: number;
  sameNetwork: boolean;
  hoursBetweenAccounts: number;
};

/** Returns the signs that a pair shows. */
export function signsOf(pair: PairFacts): PairSign[] {
  const shows: Record<PairSign, boolean> = {
    oneSeller: pair.common * 2 > pair.all,
    neverWon: pair.closed >= pairLimits.common && pair.won === 0,
    sameNetwork: pair.sameNetwork,
    madeTogether: pair.hoursBetweenAccounts < 24,
    narrowlyBeaten: pair.narrow >= pairLimits.common,
  };
  return pairSigns.filter((sign) => shows[sign]);
}

/** Whether an admin should review a pair. */
export const isListed = (pair: PairFacts): boolean =>
  pair.common >= pairLimits.common && signsOf(pair).length >= pairLimits.signs;

type Counts = Pick<PairFacts, "common" | "all" | "narrow">;

/** Describes a sign of this pair in words. */
export function signText(sign: PairSign, { common, all, narrow }: Counts): string {
  switch (sign) {
    case "oneSeller":
      return `${common} of the ${all} auctions that the bidder took part in were this seller's (${Math.round((100 * common) / all)}%).`;
    case "neverWon":
      return "The bidder has won none of them.";
    case "sameNetwork":
      return "Both have logged in from the same network.";
    case "madeTogether":
      return "Their accounts were made within 24 hours of each other.";
    case "narrowlyBeaten":
      return `In ${narrow} of them it sold to another bidder for less than 5% more.`;
  }
}
