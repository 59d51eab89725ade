import { expect, test } from "vitest";
import {
  applySilence,
  claimsOf,
  decideSaleAct,
  newSale,
  openReport,
  possibleActs,
  type SaleAct,
  saleSides,
  saleTimes,
} from "./sale.ts";
import { belowFrom } from "./seeded-random.ts";

const hour = 3_600_000;
const access = { seller: true, buyer: true };

/** Fails the test with a counterexample. `expect` would take too long in a loop. */
function check(holds: boolean, counterexample: object): void {
  if (!holds) throw new Error(JSON.stringify(counterexample));
}

test("in 20,000 random sales no strike is given without 48 hours to answer, an end is final, and the page offers only the accepted acts", () => {
  const below = belowFrom(7);
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  };
  const acts: SaleAct[] = [
    { kind: "handOver" },
    { kind: "answer", answer: "done" },
    { kind: "answer", answer: "untrue" },
    ...[1, 7].map((days): SaleAct => ({ kind: "answer", answer: "later", days, zone: "UTC" })),
    ...[...claimsOf.seller, ...claimsOf.buyer].map((claim): SaleAct => ({ kind: "report", claim })),
  ];
  const ends = new Set<string>();
  for (let each = 0; each < 20_000; each++) {
    let sale = newSale(new Date(0));
    let time = 0;
    for (let step = 0; step < 8; step++) {
      time += below(60) * hour;
      const moment = { now: new Date(time), access };
      const silence = applySilence(sale, moment.now, access);
      const report = openReport(sale);
      const waited = report ? moment.now.getTime() - report.at.getTime() : 0;
      check(!silence?.strike || (waited >= saleTimes.answer && silence.strike !== report?.by), sale);
      sale = silence?.sale ?? sale;
      const [side, act] = [pick(saleSides), pick(acts)];
      const may = possibleActs(sale, side, moment);
      const outcome = decideSaleAct(sale, side, act, moment);
      const offered =
        act.kind === "handOver"
          ? may.handOver
          : act.kind === "report"
            ? may.claims.includes(act.claim)
            : may.answers.includes(act.answer);
      check((outcome.kind === "changed") === offered, { sale, side, act });
      check(sale.state === "awaiting" || (outcome.kind === "refused" && outcome.why === "over"), sale);
      check(outcome.kind !== "changed" || outcome.strike === null, { sale, side, act });
      if (outcome.kind === "changed") ({ sale } = outcome);
    }
    ends.add(sale.state);
  }
  expect(ends).toEqual(new Set(["awaiting", "handedOver", "fellThrough", "disputed"]));
});
