import type { Database } from "#server/platform/database.ts";
import { errorCode } from "#server/platform/error-code.ts";
import type { Log } from "#server/platform/log.ts";
import type { ProductStates } from "../catalogue/product-states.ts";
import type { Patience } from "./bid-statements.ts";
import { type Attempt, type Batch, type BidAnswer, decideBatch } from "./decide-batch.ts";

/** Bids that one transaction decides at most. */
const mostAtOnce = 256;

type Waiting = {
  attempt: Attempt;
  resolve: (answer: BidAnswer) => void;
  reject: (error: unknown) => void;
};
/** Bids that wait for the transaction that is under way, to be decided together in the next one. */
type Line = { waiting: Waiting[]; busy: boolean; patience: Patience };
type Parts = {
  database: Database;
  products: ProductStates;
  outbid: { after(productIds: readonly string[]): void };
  log: Log;
  /** The most in cents that somebody bids before their email address is verified. */
  unverifiedLimit: number;
};
export type BidTaker = ReturnType<typeof createBidTaker>;

/** Lost to another transaction, not wrong in itself: a key used meanwhile, a serialisation failure, a deadlock. */
const passing = new Set(["23505", "40001", "40P01"]);
const isPassing = (error: unknown): boolean => passing.has(errorCode(error) ?? "");

const newLine = (patience: Patience): Line => ({ waiting: [], busy: false, patience });

/**
 * Takes bids (architecture, "Bids"; docs/auctions.md). Those that arrive while a transaction is under way are decided
 * together in the next one: one lock of each product, one commit, each bidder answered separately, and only after it.
 * All products share two lines, which wait for nobody: while the bids of one are on their way to the disk, those of the
 * other come in. A product that another transaction is at, of another node or to take it off sale, gets a line of its
 * own until its bids are decided.
 */
export function createBidTaker({ database, products, outbid, log, unverifiedLimit }: Parts) {
  const [even, odd] = [newLine("skip"), newLine("skip")];
  const apart = new Map<string, Line>();

  async function decide(attempts: readonly Attempt[], patience: Patience): Promise<Batch["decisions"]> {
    const { pipelines } = database;
    const { decisions, accepted } = await decideBatch(pipelines, attempts, patience, unverifiedLimit);
    if (accepted.length > 0) {
      products.accepted(accepted);
      outbid.after(accepted.map(({ productId }) => productId));
    }
    return decisions;
  }

  /** One bid by itself, once more if it lost to another transaction: now it sees what that one did. */
  async function decideAlone(attempt: Attempt, again = true): Promise<Batch["decisions"]> {
    try {
      return await decide([attempt], "wait");
    } catch (error) {
      if (!again || !isPassing(error)) throw error;
      return await decideAlone(attempt, false);
    }
  }

  /** Always the same one for a product, so that its bids stay in order. */
  const commonLine = (productId: string) => (Number.parseInt(productId.slice(-1), 16) % 2 === 0 ? even : odd);

  function join(line: Line, ...waiting: Waiting[]) {
    line.waiting.push(...waiting);
    if (!line.busy) void run(line);
  }

  function setApart(waiting: Waiting) {
    const { productId } = waiting.attempt;
    const line = apart.get(productId) ?? newLine("wait");
    apart.set(productId, line);
    join(line, waiting);
  }

  function answer({ attempt, resolve, reject }: Waiting, decision: Batch["decisions"][number] | undefined) {
    if (!decision) reject(new Error("a bid was left without an answer"));
    else if (decision.kind === "busy") setApart({ attempt, resolve, reject });
    else resolve(decision);
  }

  async function work(batch: readonly Waiting[], patience: Patience): Promise<void> {
    const attempts = batch.map(({ attempt }) => attempt);
    try {
      const decisions = await decide(attempts, patience);
      for (const [at, waiting] of batch.entries()) answer(waiting, decisions[at]);
    } catch (error) {
      if (isPassing(error)) return await workSingly(batch);
      log.error({ err: error, bids: batch.length }, "bids could not be decided");
      for (const { reject } of batch) reject(error);
    }
  }

  /** What failed together may be one bid's fault: the others must not suffer for it. */
  async function workSingly(batch: readonly Waiting[]): Promise<void> {
    const outcomes = await Promise.allSettled(batch.map(({ attempt }) => decideAlone(attempt)));
    for (const [at, outcome] of outcomes.entries()) {
      const waiting = batch[at];
      if (outcome.status === "rejected") waiting?.reject(outcome.reason);
      else if (waiting) answer(waiting, outcome.value[0]);
    }
  }

  function leave(line: Line) {
    line.busy = false;
    for (const [productId, each] of apart) if (each === line) apart.delete(productId);
  }

  async function run(line: Line): Promise<void> {
    line.busy = true;
    while (line.waiting.length > 0) await work(line.waiting.splice(0, mostAtOnce), line.patience);
    leave(line);
  }

  return {
    /**
     * Resolves once the decision is on disk. Rejects when the database can't be reached: the bid may then have been
     * taken or not, and the same key tells which.
     */
    place: (attempt: Attempt): Promise<BidAnswer> =>
      new Promise((resolve, reject) => {
        join(apart.get(attempt.productId) ?? commonLine(attempt.productId), { attempt, resolve, reject });
      }),
  };
}
