import { describe, expect, test } from "vitest";
import {
  applySilence,
  decideDispute,
  decideSaleAct,
  disputeEnds,
  disputeFaults,
  newSale,
  openReport,
  restartAnswer,
  type Sale,
  type SaleAct,
  type SaleOutcome,
  type SaleSide,
  saleSides,
  saleTimes,
} from "./sale.ts";

const hour = 3_600_000;
const day = 24 * hour;
const madeAt = new Date(0);
const after = (milliseconds: number) => new Date(milliseconds);
const access = { seller: true, buyer: true };

/** Returns a new sale after these acts, each of which must be accepted. */
function saleAfter(...acts: [side: SaleSide, act: SaleAct, at: number][]): Sale {
  let sale = newSale(madeAt);
  for (const [side, act, at] of acts) {
    const outcome = decideSaleAct(sale, side, act, { now: after(at), access });
    if (outcome.kind !== "changed") throw new Error(JSON.stringify(outcome));
    ({ sale } = outcome);
  }
  return sale;
}
const decide = (sale: Sale, side: SaleSide, act: SaleAct, at: number): SaleOutcome =>
  decideSaleAct(sale, side, act, { now: after(at), access });

const handOver: SaleAct = { kind: "handOver" };
const notPaid: SaleAct = { kind: "report", claim: "notPaid" };
const done: SaleAct = { kind: "answer", answer: "done" };
const untrue: SaleAct = { kind: "answer", answer: "untrue" };
const within = (days: number, zone = "UTC"): SaleAct => ({ kind: "answer", answer: "later", days, zone });
const reported = () => saleAfter(["seller", notPaid, 72 * hour]);

describe("a sale is handed over", () => {
  test("once both say so", () => {
    expect(saleAfter(["seller", handOver, 1], ["buyer", handOver, 2])).toMatchObject({
      state: "handedOver",
      dueAt: null,
      fault: null,
    });
  });

  test.each(saleSides)(
    "once the %s says so and the other is silent for 7 days, to the millisecond",
    (side) => {
      const sale = saleAfter([side, handOver, hour]);
      expect(applySilence(sale, after(hour + 7 * day - 1), access)).toBeNull();
      expect(applySilence(sale, after(hour + 7 * day), access)).toMatchObject({
        event: "agreedBySilence",
        strike: null,
        sale: { state: "handedOver" },
      });
    },
  );

  test("only once: saying it twice changes nothing", () => {
    expect(decide(saleAfter(["seller", handOver, 1]), "seller", handOver, 2)).toEqual({ kind: "unchanged" });
  });

  test("also by its reporter, which settles the report", () => {
    const sale = saleAfter(["seller", notPaid, 72 * hour], ["seller", handOver, 73 * hour]);
    expect(openReport(sale)).toBeNull();
    expect(applySilence(sale, after(73 * hour + 7 * day), access)?.sale).toMatchObject({
      state: "handedOver",
    });
  });

  test("only after a report is answered", () => {
    expect(decide(reported(), "buyer", handOver, 73 * hour)).toEqual({
      kind: "refused",
      why: "alreadyReported",
    });
  });
});

describe("a report", () => {
  test("can be made from 72 hours to 30 days after the sale", () => {
    const sale = newSale(madeAt);
    const at = (time: number) => decide(sale, "seller", notPaid, time);
    expect(at(saleTimes.reportFrom - 1)).toEqual({ kind: "refused", why: "tooEarly" });
    expect(at(saleTimes.reportFrom).kind).toBe("changed");
    expect(at(saleTimes.reportUntil - 1).kind).toBe("changed");
    expect(at(saleTimes.reportUntil)).toEqual({ kind: "refused", why: "tooLate" });
  });

  test("can be made at any time while the other side waits for agreement that it was handed over", () => {
    const wrongItem: SaleAct = { kind: "report", claim: "notAsDescribed" };
    for (const time of [hour, saleTimes.reportUntil + day]) {
      const sale = saleAfter(["seller", handOver, time]);
      expect(decide(sale, "buyer", wrongItem, time + 1)).toMatchObject({
        event: "reported",
        sale: { dueAt: after(time + 1 + saleTimes.answer) },
      });
      expect(decide(sale, "seller", notPaid, time + 1)).toEqual({ kind: "refused", why: "saidSo" });
    }
  });

  test("can only claim what its side can know", () => {
    expect(decide(newSale(madeAt), "buyer", notPaid, 80 * hour)).toEqual({
      kind: "refused",
      why: "notYours",
    });
    const wrongItem: SaleAct = { kind: "report", claim: "notAsDescribed" };
    expect(decide(newSale(madeAt), "seller", wrongItem, 80 * hour)).toEqual({
      kind: "refused",
      why: "notYours",
    });
  });

  test("is refused while another one is open, and from a side that has said that it was handed over", () => {
    const late: SaleAct = { kind: "report", claim: "noAnswer" };
    expect(decide(reported(), "buyer", late, 73 * hour)).toEqual({ kind: "refused", why: "alreadyReported" });
    expect(decide(saleAfter(["buyer", handOver, 1]), "buyer", late, 80 * hour)).toEqual({
      kind: "refused",
      why: "saidSo",
    });
  });

  test("without an answer in 48 hours makes the sale fall through, with a strike for the silent side", () => {
    expect(applySilence(reported(), after(120 * hour - 1), access)).toBeNull();
    expect(applySilence(reported(), after(120 * hour), access)).toMatchObject({
      event: "silent",
      strike: "buyer",
      sale: { state: "fellThrough", fault: "buyer", dueAt: null },
    });
  });

  test("gives no strike to a side that can't answer", () => {
    const lost = { seller: true, buyer: false };
    expect(applySilence(reported(), after(120 * hour), lost)).toMatchObject({
      event: "accountLost",
      strike: null,
      sale: { state: "fellThrough", fault: "buyer" },
    });
    expect(decideSaleAct(newSale(madeAt), "seller", notPaid, { now: after(1), access: lost })).toMatchObject({
      event: "accountLost",
      strike: null,
      sale: { state: "fellThrough", fault: "buyer" },
    });
  });

  test("gives the whole time again to a side that regains access", () => {
    const again = restartAnswer(reported(), "buyer", after(110 * hour));
    expect(again?.dueAt).toEqual(after(158 * hour));
    expect(restartAnswer(reported(), "seller", after(110 * hour))).toBeNull();
    expect(restartAnswer(saleAfter(["seller", handOver, 1]), "buyer", after(2))).toBeNull();
  });

  test("answered with done is over, and can be repeated, but not that answer", () => {
    const answered = saleAfter(["seller", notPaid, 72 * hour], ["buyer", done, 73 * hour]);
    expect(answered).toMatchObject({ state: "awaiting", dueAt: null });
    const again = decide(answered, "seller", notPaid, 100 * hour);
    if (again.kind !== "changed") throw new Error(again.kind);
    expect(decide(again.sale, "buyer", done, 101 * hour)).toEqual({ kind: "refused", why: "usedUp" });
    expect(decide(again.sale, "buyer", untrue, 101 * hour)).toMatchObject({ sale: { state: "disputed" } });
  });

  test("answered with done restarts agreement by silence", () => {
    const sale = saleAfter(
      ["buyer", handOver, hour],
      ["seller", notPaid, 72 * hour],
      ["buyer", done, 80 * hour],
    );
    expect(sale.dueAt).toEqual(after(80 * hour + 7 * day));
  });

  test("answered with a day makes the sale fall through after it, but never sooner than without an answer", () => {
    const promised = saleAfter(["seller", notPaid, 72 * hour], ["buyer", within(5), 73 * hour]);
    expect(applySilence(promised, after(9 * day - 2), access)).toBeNull();
    expect(applySilence(promised, after(9 * day - 1), access)).toMatchObject({
      event: "promiseBroken",
      strike: "buyer",
    });
    const tomorrow = saleAfter(["seller", notPaid, 72 * hour], ["buyer", within(1), 73 * hour]);
    expect(tomorrow.dueAt).toEqual(after(120 * hour));
  });

  test("answered with a day allows that whole day, in the zone of the side that promises it", () => {
    const inside = (zone: string) =>
      saleAfter(["seller", notPaid, 72 * hour], ["buyer", within(2, zone), 73 * hour]).dueAt;
    // It is 4 January 1970, 01:00, in UTC.
    expect(inside("UTC")).toEqual(new Date("1970-01-06T23:59:59.999Z"));
    expect(inside("Africa/Johannesburg")).toEqual(new Date("1970-01-06T21:59:59.999Z"));
    expect(inside("America/New_York")).toEqual(new Date("1970-01-06T04:59:59.999Z"));
  });

  test("answered with a day can still be answered with done, but not with a second day", () => {
    const promised = saleAfter(["seller", notPaid, 72 * hour], ["buyer", within(3), 73 * hour]);
    expect(decide(promised, "buyer", within(3), 80 * hour)).toEqual({ kind: "refused", why: "usedUp" });
    expect(decide(promised, "buyer", done, 80 * hour).kind).toBe("changed");
  });

  test.each([0, 8, Number.NaN])("can't be answered with a day %s days ahead", (days) => {
    expect(decide(reported(), "buyer", within(days), 73 * hour)).toEqual({ kind: "refused", why: "notADay" });
  });

  test("can only be answered by the side that it is about", () => {
    for (const answer of [done, untrue, within(2)])
      expect(decide(reported(), "seller", answer, 73 * hour)).toEqual({
        kind: "refused",
        why: "notReported",
      });
  });
});

describe("a dispute", () => {
  const disputed = () => saleAfter(["seller", notPaid, 72 * hour], ["buyer", untrue, 73 * hour]);

  test("waits for an administrator, and nothing else changes it", () => {
    expect(disputed()).toMatchObject({ state: "disputed", dueAt: null });
    expect(applySilence(disputed(), after(1_000 * day), access)).toBeNull();
    for (const side of saleSides)
      expect(decide(disputed(), side, handOver, 74 * hour)).toEqual({ kind: "refused", why: "over" });
  });

  test.each([
    ["fellThrough", "reported", "buyer"],
    ["fellThrough", "reporter", "seller"],
    ["fellThrough", "nobody", null],
    ["handedOver", "reporter", "seller"],
    ["handedOver", "nobody", null],
  ] as const)("decided as %s by fault of %s gives a strike to %s", (end, fault, strike) => {
    expect(decideDispute(disputed(), { end, fault })).toMatchObject({
      event: "decided",
      strike,
      sale: { state: end, fault: strike },
    });
  });

  test("is decided once, and other sales are never decided", () => {
    const decided = decideDispute(disputed(), { end: "handedOver", fault: "nobody" });
    if (decided.kind !== "changed") throw new Error(decided.kind);
    for (const sale of [decided.sale, reported(), newSale(madeAt)])
      for (const end of disputeEnds)
        for (const fault of disputeFaults)
          expect(decideDispute(sale, { end, fault })).toEqual({ kind: "refused", why: "over" });
  });
});
