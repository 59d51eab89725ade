import { describe, expect, test } from "vitest";
import {
  decideDispute,
  decideSaleAct,
  disputeEnds,
  disputeFaults,
  elapse,
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

/** Does acts one after the other, each of which must be accepted. */
function played(...acts: [side: SaleSide, act: SaleAct, at: number][]): Sale {
  let sale = newSale(madeAt);
  for (const [side, act, at] of acts) {
    const outcome = decideSaleAct(sale, side, act, { now: after(at), access });
    if (outcome.kind !== "changed") throw new Error(JSON.stringify(outcome));
    ({ sale } = outcome);
  }
  return sale;
}
const act = (sale: Sale, side: SaleSide, what: SaleAct, at: number): SaleOutcome =>
  decideSaleAct(sale, side, what, { now: after(at), access });

const handOver: SaleAct = { kind: "handOver" };
const notPaid: SaleAct = { kind: "report", claim: "notPaid" };
const done: SaleAct = { kind: "answer", answer: "done" };
const untrue: SaleAct = { kind: "answer", answer: "untrue" };
const within = (days: number, zone = "UTC"): SaleAct => ({ kind: "answer", answer: "later", days, zone });
const reported = () => played(["seller", notPaid, 72 * hour]);

describe("a sale is handed over", () => {
  test("once both say so", () => {
    expect(played(["seller", handOver, 1], ["buyer", handOver, 2])).toMatchObject({
      state: "handedOver",
      dueAt: null,
      fault: null,
    });
  });

  test.each(saleSides)(
    "once the %s says so and the other is silent for 7 days, to the millisecond",
    (side) => {
      const sale = played([side, handOver, hour]);
      expect(elapse(sale, after(hour + 7 * day - 1), access)).toBeNull();
      expect(elapse(sale, after(hour + 7 * day), access)).toMatchObject({
        event: "agreedBySilence",
        strike: null,
        sale: { state: "handedOver" },
      });
    },
  );

  test("once: saying it twice changes nothing", () => {
    expect(act(played(["seller", handOver, 1]), "seller", handOver, 2)).toEqual({ kind: "unchanged" });
  });

  test("by a reporter too, which settles the report", () => {
    const sale = played(["seller", notPaid, 72 * hour], ["seller", handOver, 73 * hour]);
    expect(openReport(sale)).toBeNull();
    expect(elapse(sale, after(73 * hour + 7 * day), access)?.sale).toMatchObject({ state: "handedOver" });
  });

  test("only after a report is answered", () => {
    expect(act(reported(), "buyer", handOver, 73 * hour)).toEqual({
      kind: "refused",
      why: "alreadyReported",
    });
  });
});

describe("a report", () => {
  test("is made from 72 hours to 30 days after the sale", () => {
    const sale = newSale(madeAt);
    const at = (time: number) => act(sale, "seller", notPaid, time);
    expect(at(saleTimes.reportFrom - 1)).toEqual({ kind: "refused", why: "tooEarly" });
    expect(at(saleTimes.reportFrom).kind).toBe("changed");
    expect(at(saleTimes.reportUntil - 1).kind).toBe("changed");
    expect(at(saleTimes.reportUntil)).toEqual({ kind: "refused", why: "tooLate" });
  });

  test("is made at any time while the other one's word waits for agreement", () => {
    const wrongItem: SaleAct = { kind: "report", claim: "notAsDescribed" };
    for (const time of [hour, saleTimes.reportUntil + day]) {
      const sale = played(["seller", handOver, time]);
      expect(act(sale, "buyer", wrongItem, time + 1)).toMatchObject({
        event: "reported",
        sale: { dueAt: after(time + 1 + saleTimes.answer) },
      });
      expect(act(sale, "seller", notPaid, time + 1)).toEqual({ kind: "refused", why: "saidSo" });
    }
  });

  test("says only what that side can know", () => {
    expect(act(newSale(madeAt), "buyer", notPaid, 80 * hour)).toEqual({ kind: "refused", why: "notYours" });
    const wrongItem: SaleAct = { kind: "report", claim: "notAsDescribed" };
    expect(act(newSale(madeAt), "seller", wrongItem, 80 * hour)).toEqual({
      kind: "refused",
      why: "notYours",
    });
  });

  test("waits while another one is open, and is none of somebody who says that it was handed over", () => {
    const late: SaleAct = { kind: "report", claim: "noAnswer" };
    expect(act(reported(), "buyer", late, 73 * hour)).toEqual({ kind: "refused", why: "alreadyReported" });
    expect(act(played(["buyer", handOver, 1]), "buyer", late, 80 * hour)).toEqual({
      kind: "refused",
      why: "saidSo",
    });
  });

  test("without an answer in 48 hours makes the sale fall through, with a strike for the one who was silent", () => {
    expect(elapse(reported(), after(120 * hour - 1), access)).toBeNull();
    expect(elapse(reported(), after(120 * hour), access)).toMatchObject({
      event: "silent",
      strike: "buyer",
      sale: { state: "fellThrough", fault: "buyer", dueAt: null },
    });
  });

  test("gives no strike to somebody who can't answer", () => {
    const lost = { seller: true, buyer: false };
    expect(elapse(reported(), after(120 * hour), lost)).toMatchObject({
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

  test("leaves the whole time to somebody who is let in again", () => {
    const again = restartAnswer(reported(), "buyer", after(110 * hour));
    expect(again?.dueAt).toEqual(after(158 * hour));
    expect(restartAnswer(reported(), "seller", after(110 * hour))).toBeNull();
    expect(restartAnswer(played(["seller", handOver, 1]), "buyer", after(2))).toBeNull();
  });

  test("answered with done is over, and may come again, but that answer doesn't", () => {
    const answered = played(["seller", notPaid, 72 * hour], ["buyer", done, 73 * hour]);
    expect(answered).toMatchObject({ state: "awaiting", dueAt: null });
    const again = act(answered, "seller", notPaid, 100 * hour);
    if (again.kind !== "changed") throw new Error(again.kind);
    expect(act(again.sale, "buyer", done, 101 * hour)).toEqual({ kind: "refused", why: "usedUp" });
    expect(act(again.sale, "buyer", untrue, 101 * hour)).toMatchObject({ sale: { state: "disputed" } });
  });

  test("answered with done lets agreement by silence begin anew", () => {
    const sale = played(
      ["buyer", handOver, hour],
      ["seller", notPaid, 72 * hour],
      ["buyer", done, 80 * hour],
    );
    expect(sale.dueAt).toEqual(after(80 * hour + 7 * day));
  });

  test("answered with a day falls through if nothing is said by then, and never sooner than without an answer", () => {
    const promised = played(["seller", notPaid, 72 * hour], ["buyer", within(5), 73 * hour]);
    expect(elapse(promised, after(9 * day - 2), access)).toBeNull();
    expect(elapse(promised, after(9 * day - 1), access)).toMatchObject({
      event: "promiseBroken",
      strike: "buyer",
    });
    const tomorrow = played(["seller", notPaid, 72 * hour], ["buyer", within(1), 73 * hour]);
    expect(tomorrow.dueAt).toEqual(after(120 * hour));
  });

  test("answered with a day leaves that whole day, on the clock of the one who promises it", () => {
    const inside = (zone: string) =>
      played(["seller", notPaid, 72 * hour], ["buyer", within(2, zone), 73 * hour]).dueAt;
    // It is 4 January 1970, 01:00, in UTC.
    expect(inside("UTC")).toEqual(new Date("1970-01-06T23:59:59.999Z"));
    expect(inside("Africa/Johannesburg")).toEqual(new Date("1970-01-06T21:59:59.999Z"));
    expect(inside("America/New_York")).toEqual(new Date("1970-01-06T04:59:59.999Z"));
  });

  test("answered with a day can still be answered with done, and with no second day", () => {
    const promised = played(["seller", notPaid, 72 * hour], ["buyer", within(3), 73 * hour]);
    expect(act(promised, "buyer", within(3), 80 * hour)).toEqual({ kind: "refused", why: "usedUp" });
    expect(act(promised, "buyer", done, 80 * hour).kind).toBe("changed");
  });

  test.each([0, 8, Number.NaN])("isn't answered with a day %s days ahead", (days) => {
    expect(act(reported(), "buyer", within(days), 73 * hour)).toEqual({ kind: "refused", why: "notADay" });
  });

  test("is answered by the one whom it is about alone", () => {
    for (const answer of [done, untrue, within(2)])
      expect(act(reported(), "seller", answer, 73 * hour)).toEqual({ kind: "refused", why: "notReported" });
  });
});

describe("a dispute", () => {
  const disputed = () => played(["seller", notPaid, 72 * hour], ["buyer", untrue, 73 * hour]);

  test("waits for an administrator, and nothing else changes it", () => {
    expect(disputed()).toMatchObject({ state: "disputed", dueAt: null });
    expect(elapse(disputed(), after(1_000 * day), access)).toBeNull();
    for (const side of saleSides)
      expect(act(disputed(), side, handOver, 74 * hour)).toEqual({ kind: "refused", why: "over" });
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

  test("is decided once, and only a dispute is", () => {
    const decided = decideDispute(disputed(), { end: "handedOver", fault: "nobody" });
    if (decided.kind !== "changed") throw new Error(decided.kind);
    for (const sale of [decided.sale, reported(), newSale(madeAt)])
      for (const end of disputeEnds)
        for (const fault of disputeFaults)
          expect(decideDispute(sale, { end, fault })).toEqual({ kind: "refused", why: "over" });
  });
});
