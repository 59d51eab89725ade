import { amountInput, type Cents } from "#domain/money.ts";

/** Milliseconds that an amount which nobody typed has to stand in the field before it can be sent. */
const seenAfter = 1_000;

/**
 * What the bid form proposes: the least that can be bid. `movedAt`: when the amount in the field last changed by itself,
 * by a clock in milliseconds.
 */
export type Proposal = { least: Cents; movedAt: number };

export const proposal = (least: Cents): Proposal => ({ least, movedAt: Number.NEGATIVE_INFINITY });

/** The least bid is this one from now on. */
export const follow = (before: Proposal, least: Cents, now: number): Proposal =>
  before.least === least ? before : { least, movedAt: now };

/** The proposal takes the place of what was typed, once that is bid. */
export const afterBidding = (before: Proposal, now: number): Proposal => ({ ...before, movedAt: now });

/** The amount in the field: it follows the least bid until another one is typed, which never moves. */
export const amountIn = (typed: string | null, least: Cents): string => typed ?? amountInput(least);

/** Whether the amount has changed so recently that the bidder may have pressed the button for another one. */
export const justMoved = (typed: string | null, { movedAt }: Proposal, now: number): boolean =>
  typed === null && now - movedAt < seenAfter;
