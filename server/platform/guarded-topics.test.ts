import { beforeEach, expect, test } from "vitest";
import { GuardedTopics, type Right } from "./guarded-topics.ts";

/** The stream's answers, in order. */
let answers: string[];
/** The checks that have begun, each with the topics that it asks for. */
let checks: { topics: readonly string[]; answer: PromiseWithResolvers<ReadonlyMap<string, Right>> }[];
let guarded: GuardedTopics;
beforeEach(() => {
  [answers, checks] = [[], []];
  const guard = {
    topics: ["one", "two"],
    check(topics: readonly string[]) {
      const answer = Promise.withResolvers<ReadonlyMap<string, Right>>();
      checks.push({ topics, answer });
      return answer.promise;
    },
  };
  guarded = new GuardedTopics(guard, {
    granted: (topic) => void answers.push(`${topic} granted`),
    takenBack: (topic) => void answers.push(`${topic} taken back`),
    refused: (topic, code) => void answers.push(`${topic} refused: ${code}`),
    failed: (topics) => void answers.push(`${topics.join()} failed`),
  });
  void guarded.run();
});

const owned = (...owners: [string, string][]) =>
  new Map(owners.map(([topic, owner]) => [topic, { owner }] as const));
/** Answers the latest check, and waits for everything that follows from it. */
async function answer(rights: ReadonlyMap<string, Right>) {
  checks.at(-1)?.answer.resolve(rights);
  await new Promise((resolve) => setImmediate(resolve));
}

test("grants what may be watched, and refuses the rest", async () => {
  await answer(owned(["one", "ada"]));
  expect(answers).toEqual(["one granted", "two refused: not-found"]);
  expect(checks.map(({ topics }) => topics)).toEqual([["one", "two"]]);
});

test("revokes a topic immediately when its owner's rights change, and checks only that topic", async () => {
  await answer(owned(["one", "ada"], ["two", "bea"]));
  guarded.rightsChanged("ada");
  expect(answers.slice(2)).toEqual(["one taken back"]);
  await answer(new Map([["one", { code: "not-found" }]]));
  expect(answers.slice(3)).toEqual(["one refused: not-found"]);
  expect(checks.at(-1)?.topics).toEqual(["one"]);
});

test("checks again when rights changed during a check", async () => {
  guarded.rightsChanged("ada");
  await answer(owned(["one", "ada"], ["two", "bea"]));
  expect(answers).toEqual(["two granted"]);
  await answer(new Map());
  expect(answers).toEqual(["two granted", "one refused: not-found"]);
});

test("makes one check at a time, however often rights change", async () => {
  await answer(owned(["one", "ada"], ["two", "bea"]));
  for (const owner of ["ada", "bea", "ada", "bea"]) guarded.rightsChanged(owner);
  expect(checks).toHaveLength(2);
  await answer(owned(["one", "ada"]));
  await answer(owned(["one", "ada"], ["two", "bea"]));
  expect(checks.map(({ topics }) => topics)).toEqual([["one", "two"], ["one"], ["two", "one"]]);
  expect(answers.slice(4)).toEqual(["two granted", "one granted"]);
});

test("reports a check that failed", async () => {
  checks.at(-1)?.answer.reject(new Error("no database"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toEqual(["one,two failed"]);
});

test("reports nothing once the stream has ended", async () => {
  guarded.end();
  await answer(owned(["one", "ada"]));
  expect(answers).toEqual([]);
});
