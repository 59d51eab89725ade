import { afterAll, beforeAll, expect, test } from "vitest";
import { compareAnswers } from "#tests/support/same-answers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

test("a list and the domain give the same outcome for 5,000 random pairs of a student and a programme", async () => {
  const { pairs, differences, outcomes } = await compareAnswers(w, {
    programmes: 100,
    students: 50,
    seed: 28,
  });
  expect(pairs).toBe(5_000);
  expect(differences).toEqual([]);
  // Every outcome must occur often for the comparison to be meaningful.
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(150);
  expect(Object.keys(outcomes)).toHaveLength(4);
}, 60_000);
