import { expect, test } from "vitest";
import { plan } from "./plan.ts";

const now = new Date("2026-11-22T10:00:00Z");
const sizes = { students: 30, agents: 8, products: 40 };
const admins = ["admin@wayfare.example"];

test("the same moment brings the same demo", () => {
  expect(plan(sizes, admins, now)).toEqual(plan(sizes, admins, now));
});

test("another moment brings the same people and things", () => {
  const [one, other] = [plan(sizes, admins, now), plan(sizes, admins, new Date("2027-03-01T18:00:00Z"))];
  const known = ({ students, agents, applications, offers, bids }: typeof one) => ({
    people: [...students, ...agents].map(({ id, name, email }) => ({ id, name, email })),
    applications: applications.map(({ id, program, state }) => ({ id, program, state })),
    products: offers.map(({ product: { id, productName, state, winnerId } }) => ({
      id,
      productName,
      state,
      winnerId,
    })),
    bids: bids.map(({ productId, bidderId, amount }) => ({ productId, bidderId, amount })),
  });
  expect(known(other)).toEqual(known(one));
});

test("some auctions end in the next minutes", () => {
  const soon = now.getTime() + 15 * 60_000;
  const { offers } = plan({ ...sizes, products: 500 }, admins, now);
  const hurried = offers.filter(
    ({ product: { endDate, state = "open" } }) => state === "open" && endDate.getTime() < soon,
  );
  expect(hurried.length).toBeGreaterThan(3);
  expect(hurried.every(({ product: { endDate } }) => endDate > now)).toBe(true);
});
