import { describe, expect, test } from "vitest";
import { plan } from "./plan.ts";

const now = new Date("2026-11-22T10:00:00Z");
const sizes = { students: 30, agents: 8, products: 40 };
const tagOf = (productId: string, bidderId: string) => `${productId.slice(0, 4)}${bidderId.slice(0, 8)}`;
const admins = ["admin@wayfare.example"];

test("the same time always gives the same demo", () => {
  expect(plan(sizes, admins, now, tagOf)).toEqual(plan(sizes, admins, now, tagOf));
});

test("another time gives the same people and things", () => {
  const [one, other] = [
    plan(sizes, admins, now, tagOf),
    plan(sizes, admins, new Date("2027-03-01T18:00:00Z"), tagOf),
  ];
  const summaryOf = ({ students, agents, applications, offers, bids }: typeof one) => ({
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
  expect(summaryOf(other)).toEqual(summaryOf(one));
});

describe("things on sale", () => {
  const { offers } = plan({ ...sizes, products: 1_000 }, admins, now, tagOf);
  const texts = offers.map(({ product: { productName, description, grade } }) => ({
    grade,
    text: `${productName}. ${description}`,
  }));

  test("keep the promise of their grade", () => {
    const flawed = /scratch|chip|stain|crack|leak|faded|worn twice|hardly|years|semesters|signs of use/i;
    for (const { grade, text } of texts) {
      if (grade === "New" || grade === "Grade A+")
        expect(text).not.toMatch(/scratch|chip|stain|crack|leak|faded/i);
      if (grade === "New") expect(text).not.toMatch(flawed);
      if (grade !== "New") expect(text).not.toMatch(/never (used|worn)|unopened/i);
      if (grade === "Grade C") expect(text).toMatch(/comes as it is/i);
    }
  });

  test("have a colour that fits them", () => {
    for (const { text } of texts) {
      if (/^(Walnut|Light oak)/.test(text)) expect(text).toMatch(/^(Walnut|Light oak) [^,.]*desk/);
      if (/armchairs/.test(text)) expect(text).toMatch(/^Pair of /);
    }
  });
});

test("some auctions end within minutes", () => {
  const soon = now.getTime() + 15 * 60_000;
  const { offers } = plan({ ...sizes, products: 500 }, admins, now, tagOf);
  const hurried = offers.filter(
    ({ product: { endDate, state = "open" } }) => state === "open" && endDate.getTime() < soon,
  );
  expect(hurried.length).toBeGreaterThan(3);
  expect(hurried.every(({ product: { endDate } }) => endDate > now)).toBe(true);
});

test("lists were confirmed before they were sent, and those of applications in review wait", () => {
  const { applications, confirmations, steps } = plan(sizes, admins, now, tagOf);
  const stateOf = new Map(applications.map(({ id, state }) => [id, state]));
  for (const { applicationId, askedAt, confirmedAt } of confirmations) {
    const sendSteps = steps.filter(
      (step) => step.applicationId === applicationId && step.to === "sentToUniversity",
    );
    if (confirmedAt)
      expect([askedAt < confirmedAt, sendSteps.some((step) => confirmedAt < step.at)]).toEqual([true, true]);
    else expect([stateOf.get(applicationId), askedAt < now]).toEqual(["inReview", true]);
  }
  const waiting = confirmations.filter(({ confirmedAt }) => !confirmedAt);
  expect(waiting.length).toBeGreaterThan(0);
  expect(confirmations.length).toBeGreaterThan(waiting.length);
});
