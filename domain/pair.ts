/**
 * Signs that a bidder's bids on one seller's items may not be meant. None proves anything: families share a network, and
 * collectors follow one dealer.
 */
export const pairSigns = ["oneSeller", "neverWon", "sameNetwork", "madeTogether", "narrowlyBeaten"] as const;
export type PairSign = (typeof pairSigns)[number];

/** The common auctions from which on a pair is looked at, the signs from which on it is listed, and the days looked back. */
export const pairLimits = { common: 3, signs: 2, days: 180, listed: 100 } as const;

/**
 * The counts of a bidder and a seller: `common` auctions of this seller that the bidder bid on, of `all` of the
 * bidder's; of the common ones those that are `closed`, those `won` (also if the sale fell through), and
 * the `narrow` ones, lost by less than 5 %.
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

/** Whether an admin should look at a pair. */
export const isListed = (pair: PairFacts): boolean =>
  pair.common >= pairLimits.common && signsOf(pair).length >= pairLimits.signs;

type Counts = Pick<PairFacts, "common" | "all" | "narrow">;

/** Says in words what a sign means for this pair. */
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
