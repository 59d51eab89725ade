import fc from "fast-check";
import type { Cents } from "#domain/money.ts";

/** An act of a bidder or an admin around one auction, or the nightly erasure. `who` is the bidder's index. */
export type Step =
  | { kind: "bid"; who: number; amount: Cents }
  | { kind: "askForDeletion" | "logIn" | "disable" | "enable"; who: number }
  | { kind: "night" };

export type Sale = { winner: number; price: Cents };

/**
 * An implementation that carries the steps out with one item on sale: says whether each was accepted, and the result of
 * the close.
 */
export type AuctionWorld = {
  take(step: Step): boolean | Promise<boolean>;
  close(): Sale | null | Promise<Sale | null>;
};

export const bidders = 4;
export const startingBid = 10_000;

const who = fc.nat(bidders - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("bid"),
      who,
      amount: fc.integer({ min: 50, max: 600 }).map((rand) => rand * 100),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom("askForDeletion", "askForDeletion", "logIn", "disable", "enable"),
      who,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "night" }) },
);
const histories = fc.array(step, { minLength: 3, maxLength: 24 });

/**
 * Returns the expected sale: to the highest of all accepted bids whose bidder no admin keeps out at the close. It
 * ignores deletions and log-ins, so neither can lower a price.
 */
function expectedSale(steps: readonly Step[]): Sale | null {
  const out = new Set<number>();
  for (const each of steps) {
    if (each.kind === "disable") out.add(each.who);
    if (each.kind === "enable") out.delete(each.who);
  }
  const bids = steps.flatMap((each) => (each.kind === "bid" && !out.has(each.who) ? [each] : []));
  const highest = bids.at(-1);
  return highest ? { winner: highest.who, price: highest.amount } : null;
}

/** Carries a history out, and returns whether it ended as expected. */
async function endsRight(world: AuctionWorld, history: readonly Step[]): Promise<boolean> {
  const steps: Step[] = [];
  for (const each of history) if (await world.take(each)) steps.push(each);
  return JSON.stringify(await world.close()) === JSON.stringify(expectedSale(steps));
}

/** Carries out random histories, each in a world of its own. Resolves to the shortest one with a wrong end, or null. */
export async function wrongHistory(
  createWorld: () => AuctionWorld | Promise<AuctionWorld>,
  runs: number,
): Promise<readonly Step[] | null> {
  const { counterexample } = await fc.check(
    fc.asyncProperty(histories, async (history) => await endsRight(await createWorld(), history)),
    { numRuns: runs },
  );
  return counterexample?.[0] ?? null;
}
