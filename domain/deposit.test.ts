import { expect, test } from "vitest";
import { decidePayment, isDepositState, paidOnProblem } from "./deposit.ts";

const now = new Date("2026-08-12T09:59:00Z");

test("the day of a payment must have begun somewhere", () => {
  expect(paidOnProblem("2026-08-12", now)).toBeNull();
  expect(paidOnProblem("2026-08-13", now)?.message).toBe("This day is still to come.");
  // At 10:00 UTC the next day begins on the Line Islands.
  expect(paidOnProblem("2026-08-13", new Date("2026-08-12T10:00:00Z"))).toBeNull();
  for (const day of ["", "2026-02-30", "1999-12-31", "12 August"])
    expect(paidOnProblem(day, now)?.message).toBe("Please enter the day.");
});

test("marking a deposit fails if it isn't as the caller saw it", () => {
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

test("a deposit can be marked from the offer until enrolment, and never for an ended application", () => {
  const states = ["sentToUniversity", "conditionalOffer", "unconditionalOffer", "accepted", "visa"] as const;
  expect(states.map(isDepositState)).toEqual([false, true, true, true, true]);
  expect((["enrolled", "withdrawn", "rejected"] as const).map(isDepositState)).toEqual([false, false, false]);
});
