import type { Cents } from "#domain/money.ts";

/** The answer to a bid. `at` is the database's time of the decision, in milliseconds since 1970. */
export type OperationAnswer =
  | { kind: "accepted"; number: number; amount: Cents; at: number }
  | { kind: "tooLow"; least: Cents }
  | { kind: "ended"; at: number }
  | { kind: "ownProduct" }
  | { kind: "notAnAmount" }
  | { kind: "tooHigh" }
  | { kind: "keyReused" }
  /** There was no answer, or one that leaves the result open: the bid may have been taken or not. */
  | { kind: "unknown"; why: string };

/**
 * One call. `amount` is as sent, or null for an invalid one. `sentAt` and `answeredAt` are by the monotonic clock of
 * the process that sent it, in milliseconds. Calls with the same bidder and key are one bid.
 */
export type Operation = {
  bidderId: string;
  productId: string;
  key: string;
  amount: Cents | null;
  sentAt: number;
  answeredAt: number;
  answer: OperationAnswer;
};

/** A bid as the database has it. */
export type RecordedBid = {
  productId: string;
  number: number;
  bidderId: string;
  key: string;
  amount: Cents;
  at: number;
};

/** A product on sale; `endDate` in milliseconds since 1970. */
export type Lot = { id: string; sellerId: string; startingBid: Cents; endDate: number };

/** The parts of the promise (docs/auctions.md). */
export type Rule =
  | "amounts increase"
  | "acknowledged bids are stored"
  | "stored bids were sent"
  | "answers keep the order of time"
  | "refusals were right"
  | "nothing at or after the end"
  | "every call is answered";
export type Violation = { rule: Rule; detail: string };
