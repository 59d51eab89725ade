import type { Database } from "#server/platform/database.ts";
import { errorCode } from "#server/platform/error-code.ts";
import type { Log } from "#server/platform/log.ts";
import { requests, span } from "#server/platform/tracing.ts";
import type { ProductStates } from "../catalogue/product-states.ts";
import type { ReceiptSigner } from "../history/receipts.ts";
import type { LockMode } from "../tables.ts";
import { type Attempt, type BidAnswer, type Decision, decideBatch } from "./decide-batch.ts";

const batchSize = 256;

type QueuedAttempt = {
  attempt: Attempt;
  resolve: (answer: BidAnswer) => void;
  reject: (error: unknown) => void;
};
/** Bids that wait for the running transaction, to be decided together in the next one. */
type Queue = { waiting: QueuedAttempt[]; isRunning: boolean; lockMode: LockMode };
type Dependencies = {
  database: Database;
  products: ProductStates;
  outbid: { after(productIds: readonly string[]): void };
  ownBids: { after(bidderIds: readonly string[]): void };
  signReceipt: ReceiptSigner;
  log: Log;
  /** The highest bid in cents before the bidder's email address is verified. */
  unverifiedLimit: number;
};

/**
 * Errors of a transaction that lost to another one and can be retried: a key used meanwhile, a serialisation failure, a
 * deadlock.
 */
const retryableCodes = new Set(["23505", "40001", "40P01"]);
const isRetryable = (error: unknown): boolean => retryableCodes.has(errorCode(error) ?? "");

const newQueue = (lockMode: LockMode): Queue => ({ waiting: [], isRunning: false, lockMode });

/**
 * Decides bids in batches, with one lock per product and one commit. Each bidder gets their own answer after the commit
 * (docs/auctions.md, "How a bid is decided").
 */
export class BidQueues {
  readonly #dependencies: Dependencies;
  /** Two queues that skip locked products: while one writes its bids to disk, the other gathers new ones. */
  readonly #common = [newQueue("skipLocked"), newQueue("skipLocked")] as const;
  /** Queues for products that another transaction has locked, until their bids are decided. */
  readonly #dedicated = new Map<string, Queue>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Resolves once the decision is on disk. Rejects when the database can't be reached: the bid may then be accepted or
   * not, and a retry with the same key finds out.
   */
  place(attempt: Attempt): Promise<BidAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<BidAnswer>();
    this.#join(this.#queueOf(attempt.productId), { attempt, resolve, reject });
    return promise;
  }

  /** Returns the queue of a product: always the same one, so that its bids stay in order. */
  #queueOf(productId: string): Queue {
    const [even, odd] = this.#common;
    const common = Number.parseInt(productId.slice(-1), 16) % 2 === 0 ? even : odd;
    return this.#dedicated.get(productId) ?? common;
  }

  #join(queue: Queue, waiting: QueuedAttempt): void {
    queue.waiting.push(waiting);
    if (!queue.isRunning) void requests.exit(() => this.#run(queue));
  }

  async #run(queue: Queue): Promise<void> {
    queue.isRunning = true;
    while (queue.waiting.length > 0)
      await this.#decideTogether(queue.waiting.splice(0, batchSize), queue.lockMode);
    queue.isRunning = false;
    for (const [productId, each] of this.#dedicated) if (each === queue) this.#dedicated.delete(productId);
  }

  async #decideTogether(batch: readonly QueuedAttempt[], lockMode: LockMode): Promise<void> {
    const attempts = batch.map(({ attempt }) => attempt);
    try {
      const decisions = await span("bids", { attributes: { bids: batch.length } }, () =>
        this.#decide(attempts, lockMode),
      );
      for (const [index, waiting] of batch.entries()) this.#answer(waiting, decisions[index]);
    } catch (error) {
      // A single bid may have caused the failure, which must not affect the others.
      if (isRetryable(error)) return void (await Promise.all(batch.map((each) => this.#decideAlone(each))));
      this.#dependencies.log.error({ err: error, bids: batch.length }, "bids could not be decided");
      for (const { reject } of batch) reject(error);
    }
  }

  /** Decides a single bid, and retries once if it lost to another transaction, whose result it then sees. */
  async #decideAlone(waiting: QueuedAttempt): Promise<void> {
    const decide = () => this.#decide([waiting.attempt], "wait");
    try {
      const [decision] = await decide().catch((error: unknown) => {
        if (!isRetryable(error)) throw error;
        return decide();
      });
      this.#answer(waiting, decision);
    } catch (error) {
      waiting.reject(error);
    }
  }

  async #decide(attempts: readonly Attempt[], lockMode: LockMode): Promise<Decision[]> {
    const { database, products, outbid, ownBids, signReceipt, unverifiedLimit } = this.#dependencies;
    const { decisions, accepted } = await decideBatch(database.pipelines, attempts, lockMode, {
      unverifiedLimit,
      tagOf: products.tagOf,
      signReceipt,
    });
    if (accepted.length > 0) {
      products.accepted(accepted);
      outbid.after(accepted.map(({ productId }) => productId));
    }
    const bidders = attempts.flatMap(({ bidderId }, index) =>
      decisions[index]?.kind === "accepted" ? bidderId : [],
    );
    if (bidders.length > 0) ownBids.after(bidders);
    return decisions;
  }

  #answer(waiting: QueuedAttempt, decision: Decision | undefined): void {
    if (!decision) waiting.reject(new Error("a bid was left without an answer"));
    else if (decision.kind === "busy") this.#moveToDedicatedQueue(waiting);
    else waiting.resolve(decision);
  }

  #moveToDedicatedQueue(waiting: QueuedAttempt): void {
    const { productId } = waiting.attempt;
    const queue = this.#dedicated.get(productId) ?? newQueue("wait");
    this.#dedicated.set(productId, queue);
    this.#join(queue, waiting);
  }
}
