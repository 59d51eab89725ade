import { describe, expect, test } from "vitest";
import { type Clue, joinClues, mostInGroup } from "./duplicates.ts";

const phone = (...accountIds: string[]): Clue => ({ kind: "phone", accountIds });
const passport = (...accountIds: string[]): Clue => ({ kind: "passport", accountIds });

describe("joinClues", () => {
  test("makes one group of clues that share an account, also through a third clue", () => {
    expect(joinClues([phone("a", "b"), phone("c", "d"), passport("b", "c")])).toEqual([
      { accountIds: ["a", "b", "c", "d"], clues: ["phone", "passport"] },
    ]);
  });

  test("keeps clues apart that share no account", () => {
    expect(joinClues([phone("a", "b"), passport("c", "d")])).toEqual([
      { accountIds: ["a", "b"], clues: ["phone"] },
      { accountIds: ["c", "d"], clues: ["passport"] },
    ]);
  });

  test("names a kind of clue once, even if two numbers join the accounts", () => {
    expect(joinClues([phone("a", "b"), phone("b", "c")])).toEqual([
      { accountIds: ["a", "b", "c"], clues: ["phone"] },
    ]);
  });

  test("keeps a clue apart that would make a group too large", () => {
    const many = Array.from({ length: mostInGroup }, (_, at) => `s${at}`);
    expect(joinClues([phone(...many), passport("s0", "z")])).toEqual([
      { accountIds: many, clues: ["phone"] },
      { accountIds: ["s0", "z"], clues: ["passport"] },
    ]);
  });
});
