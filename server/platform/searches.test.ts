import { expect, test } from "vitest";
import { Refusal } from "#server/refusal.ts";
import { Searches } from "./searches.ts";

const uncounted = async () => ({ kind: "allowed", rate: null }) as const;

/** Starts a search that the test ends. */
function begin(searches: Searches, address: string, running: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = searches.run(address, async () => {
    running.push(address);
    await promise;
  });
  return { end: resolve, done };
}
const settled = () => new Promise(setImmediate);

test("runs one search per address and three in all, and no address waits behind another", async () => {
  const searches = new Searches(uncounted);
  const running: string[] = [];
  const mine = Array.from({ length: 3 }, () => begin(searches, "a", running));
  await settled();
  expect(running).toEqual(["a"]);
  const others = ["b", "c", "d"].map((address) => begin(searches, address, running));
  await settled();
  expect(running).toEqual(["a", "b", "c"]);
  others[0]?.end();
  await settled();
  expect(running).toEqual(["a", "b", "c", "d"]);
  for (const { end } of [...mine, ...others]) end();
  await Promise.all([...mine, ...others].map(({ done }) => done));
  expect(running.toSorted()).toEqual(["a", "a", "a", "b", "c", "d"]);
});

test("runs the next search after one that failed", async () => {
  const searches = new Searches(uncounted);
  await expect(searches.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await searches.run("a", async () => "found")).toBe("found");
});

test("queues forty searches per address and two hundred in all, and refuses more immediately", async () => {
  const searches = new Searches(uncounted);
  const codes: unknown[] = [];
  const ends: (() => void)[] = [];
  const start = (address: string) => {
    const { end, done } = begin(searches, address, []);
    ends.push(end);
    return done.catch((error: unknown) => codes.push(error instanceof Refusal && error.code));
  };
  const all = Array.from({ length: 43 }, () => start("a"));
  await settled();
  expect(codes).toEqual(["resource-exhausted", "resource-exhausted"]);
  for (const address of ["b", "c", "d", "e", "f"])
    all.push(...Array.from({ length: 40 }, () => start(address)));
  await settled();
  expect(codes.slice(2)).toEqual(Array(38).fill("unavailable"));
  for (const end of ends) end();
  await Promise.all(all);
});
