import { describe, expect, test } from "vitest";
import { isListed, type PairFacts, pairSigns, signsOf, signText } from "./pair.ts";

const plain: PairFacts = {
  common: 3,
  all: 6,
  closed: 3,
  won: 1,
  narrow: 0,
  sameNetwork: false,
  hoursBetweenAccounts: 24,
};

describe("the signs of a pair", () => {
  test.each([
    [{}, []],
    [{ all: 5 }, ["oneSeller"]],
    [{ won: 0 }, ["neverWon"]],
    [{ won: 0, closed: 2 }, []],
    [{ sameNetwork: true }, ["sameNetwork"]],
    [{ hoursBetweenAccounts: 23.9 }, ["madeTogether"]],
    [{ narrow: 3 }, ["narrowlyBeaten"]],
    [{ narrow: 2 }, []],
  ] as const)("with %j are %j", (change, signs) => {
    expect(signsOf({ ...plain, ...change })).toEqual(signs);
  });

  test.each(pairSigns)("include %s, which has a text", (sign) => {
    expect(signText(sign, { common: 3, all: 4, narrow: 3 })).toMatch(/^[A-Z\d].*\.$/);
  });

  test("say what items sold for in narrow losses, since nobody knows what was paid", () => {
    expect(signText("narrowlyBeaten", { common: 3, all: 4, narrow: 3 })).toBe(
      "In 3 of them it sold to another bidder for less than 5% more.",
    );
  });
});

describe("a pair", () => {
  test("is listed from two signs on", () => {
    expect(isListed({ ...plain, won: 0 })).toBe(false);
    expect(isListed({ ...plain, won: 0, sameNetwork: true })).toBe(true);
  });

  test("is never listed for fewer than three auctions", () => {
    const all = { won: 0, sameNetwork: true, hoursBetweenAccounts: 1, narrow: 3 };
    expect(isListed({ ...plain, ...all, common: 2, all: 2 })).toBe(false);
  });
});
