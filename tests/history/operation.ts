import type { BidForm, BidKind } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";

/**
 * The answer to a bid. `at` is the database's time of the decision, in milliseconds since 1970; `leading` and `least`
 * describe the moment of the answer.
 */
export type OperationAnswer =
  | { kind: "accepted"; number: number; amount: Cents; at: number; leading: boolean; least: Cents }
  | { kind: "tooLow"; least: Cents }
  | { kind: "ended"; at: number }
  | { kind: "ownProduct" }
  | { kind: "notAnAmount" }
  | { kind: "tooHigh" }
  | { kind: "keyReused" }
  /** A slip was withdrawn, and the intended amount was too low to bid. */
  | { kind: "withdrawn" }
  /** A slip was not withdrawn. */
  | { kind: "stays" }
  /** There was no answer, or an inconclusive one: the bid may have been accepted or not. */
  | { kind: "unknown"; why: string };

/**
 * One call. `amount` is as sent, or null for an invalid one. `sentAt` and `answeredAt` are milliseconds of the sending
 * process's monotonic clock. Calls with the same bidder and key are one bid. With `replacesSlip`, the call withdrew the
 * bidder's bids and bid the intended amount.
 */
export type Operation = {
  bidderId: string;
  productId: string;
  key: string;
  form: BidForm;
  amount: Cents | null;
  replacesSlip?: true;
  sentAt: number;
  answeredAt: number;
  answer: OperationAnswer;
};

/** An admin's call to void the bids on a product of the person who made the public bid with this number. */
export type Voiding = {
  productId: string;
  number: number;
  sentAt: number;
  answeredAt: number;
  answer: "voided" | "refused" | "unknown";
};

/** A public bid as stored; `key` is null for a limit's answer to a rival. */
export type RecordedBid = {
  productId: string;
  number: number;
  bidderId: string;
  key: string | null;
  kind: BidKind;
  amount: Cents;
  at: number;
};

/** A limit as stored; `number` is that of its public bid, or of the latest one when its owner moved it. */
export type RecordedLimit = Omit<RecordedBid, "key" | "kind"> & { key: string };

/** A row that ended a bidder's bids, as stored; `intended` is the amount that they meant in place of a slip. */
export type RecordedRemoval = {
  productId: string;
  number: number;
  bidderId: string;
  kind: "withdrawn" | "voided";
  intended: Cents | null;
  at: number;
};

/**
 * A product on sale; times in milliseconds since 1970. Late bids extend `endDate` up to `latestEnd`; without it, the
 * end is fixed.
 */
export type Lot = {
  id: string;
  sellerId: string;
  startingBid: Cents;
  endDate: number;
  latestEnd?: number;
};

/** The parts of the promise (docs/auctions.md). */
export type Rule =
  | "amounts increase"
  | "limits are kept"
  | "bids follow from the rules"
  | "acknowledged bids are stored"
  | "stored bids were sent"
  | "bids leave as they were asked to"
  | "answers keep the order of time"
  | "refusals were right"
  | "nothing at or after the end"
  | "every call is answered";
export type Violation = { rule: Rule; detail: string };
