import { expect, test } from "vitest";
import { decidePayment, isDepositState, paidOnProblem } from "./deposit.ts";

const now = new Date("2026-08-12T09:59:00Z");

test("a deposit is paid on a day that has begun somewhere", () => {
  expect(paidOnProblem("2026-08-12", now)).toBeNull();
  expect(paidOnProblem("2026-08-13", now)?.message).toBe("This day is still to come.");
  // At ten in UTC the next day begins on the Line Islands.
  expect(paidOnProblem("2026-08-13", new Date("2026-08-12T10:00:00Z"))).toBeNull();
  for (const day of ["", "2026-02-30", "1999-12-31", "12 August"])
    expect(paidOnProblem(day, now)?.message).toBe("Please enter the day.");
});

test("a mark changes only the deposit that its caller saw", () => {
  const paid = { kind: "becomes", paidOn: "2026-08-11" };
  expect(decidePayment({ paidOn: null, seen: null }, "2026-08-11", now)).toEqual(paid);
  expect(decidePayment({ paidOn: "2026-08-10", seen: "2026-08-10" }, "2026-08-11", now)).toEqual(paid);
  expect(decidePayment({ paidOn: "2026-08-10", seen: "2026-08-10" }, null, now)).toEqual({
    kind: "becomes",
    paidOn: null,
  });
  expect(decidePayment({ paidOn: "2026-08-10", seen: null }, "2026-08-11", now).kind).toBe("conflict");
  expect(decidePayment({ paidOn: null, seen: null }, null, now).kind).toBe("conflict");
  expect(decidePayment({ paidOn: null, seen: null }, "soon", now).kind).toBe("problem");
});

test("a deposit is marked from the offer on until the student is enrolled, and never of an ended application", () => {
  const states = ["sentToUniversity", "conditionalOffer", "unconditionalOffer", "accepted", "visa"] as const;
  expect(states.map(isDepositState)).toEqual([false, true, true, true, true]);
  expect((["enrolled", "withdrawn", "rejected"] as const).map(isDepositState)).toEqual([false, false, false]);
});
