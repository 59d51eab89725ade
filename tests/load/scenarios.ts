import { randomUUID } from "node:crypto";
import { sendBid } from "#tests/history/bidder.ts";
import { checkHistory } from "#tests/history/check-history.ts";
import type { Operation, OperationAnswer } from "#tests/history/operation.ts";
import { bidAtRandom } from "#tests/history/random-bids.ts";
import type { Fixture } from "./fixture.ts";
import type { Outcome } from "./outcome.ts";
import { endIn, storedBids } from "./test-data.ts";

function count(operations: readonly Operation[]): string {
  const kinds = new Map<OperationAnswer["kind"], number>();
  for (const { answer } of operations) kinds.set(answer.kind, (kinds.get(answer.kind) ?? 0) + 1);
  return [...kinds].map(([kind, number]) => `${number} ${kind}`).join(", ");
}

/** Sends this many random operations of all of the fixture's people to all its servers. */
export async function randomBids(fixture: Fixture, total: number, seed: number): Promise<Outcome> {
  const { address, ...parts } = fixture;
  const began = performance.now();
  const operations = await bidAtRandom({ ...parts, seed, goOn: (calls) => calls < total });
  const seconds = (performance.now() - began) / 1000;
  const violations = checkHistory({
    operations,
    ...(await storedBids(address, fixture.lots)),
    lots: fixture.lots,
  });
  const pace = `${operations.length} operations in ${seconds.toFixed(1)} s, seed ${seed}`;
  return { violations, figures: `${pace}: ${count(operations)}` };
}

/** Sends equal bids by everyone concurrently on the first lot: exactly one must be accepted. */
export async function equalBids(fixture: Fixture): Promise<Outcome> {
  const { address, lots, bidders, urls } = fixture;
  const [lot] = lots;
  if (!lot) throw new Error("there is no lot");
  const others = bidders.filter(({ id }) => id !== lot.sellerId);
  const operations = await Promise.all(
    others.map((bidder, at) => {
      const bidRequest = {
        productId: lot.id,
        key: randomUUID(),
        form: "exact",
        amount: lot.startingBid,
      } as const;
      return sendBid(urls[at % urls.length] ?? "", bidder, bidRequest);
    }),
  );
  const accepted = operations.filter(({ answer }) => answer.kind === "accepted");
  const violations = checkHistory({ operations, ...(await storedBids(address, lots)), lots });
  if (accepted.length !== 1)
    violations.push({ rule: "amounts increase", detail: `${accepted.length} equal bids were accepted` });
  return { violations, figures: count(operations) };
}

/**
 * Sends this many bids, evenly spread from before the end of the lots until after it. Each is so high that only the end
 * can refuse it.
 */
export async function acrossTheEnd(fixture: Fixture, total: number): Promise<Outcome> {
  const { address, bidders, urls, lots } = fixture;
  const halfTime = 600;
  const ended = await endIn(address, lots, halfTime);
  const began = performance.now();
  const operations = await Promise.all(
    Array.from({ length: total }, async (_, at) => {
      await untilAfter(began + (2 * halfTime * at) / total);
      const lot = lots[at % lots.length];
      const bidder = bidders.find(
        ({ id }, place) => id !== lot?.sellerId && place >= at % (bidders.length - 1),
      );
      if (!lot || !bidder) throw new Error("there is nobody to bid");
      const bidRequest = {
        productId: lot.id,
        key: randomUUID(),
        form: "exact",
        amount: lot.startingBid + at * 100,
      } as const;
      return await sendBid(urls[at % urls.length] ?? "", bidder, bidRequest);
    }),
  );
  const violations = checkHistory({ operations, ...(await storedBids(address, lots)), lots: ended });
  for (const kind of ["accepted", "ended"] as const)
    if (!operations.some(({ answer }) => answer.kind === kind))
      violations.push({ rule: "nothing at or after the end", detail: `no bid was answered as ${kind}` });
  return { violations, figures: count(operations) };
}

const untilAfter = (moment: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, moment - performance.now())));
