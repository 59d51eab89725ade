import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { createBrief, within } from "./brief.ts";

test("who asks for the same at the same time, or shortly after, gets what was made once", async () => {
  const brief = createBrief<number>(60_000, 2);
  let made = 0;
  const make = async () => ++made;
  expect(await Promise.all([brief("a", make), brief("a", make)])).toEqual([1, 1]);
  expect(await brief("a", make)).toBe(1);
  expect(await brief("b", make)).toBe(2);
});

test("after that it is made anew, and so is what failed", async () => {
  const brief = createBrief<number>(0, 2);
  let made = 0;
  const make = async () => ++made;
  expect(await brief("a", make)).toBe(1);
  await setTimeout(5);
  expect(await brief("a", make)).toBe(2);
  const lasting = createBrief<number>(60_000, 2);
  await expect(lasting("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await lasting("a", make)).toBe(3);
});

test("only so many different ones are made at a time", async () => {
  const brief = createBrief<string>(60_000, 2);
  const { promise, resolve } = Promise.withResolvers<string>();
  const [a, b] = [brief("a", () => promise), brief("b", () => promise)];
  expect(brief("c", async () => "c")).toBeNull();
  resolve("made");
  expect(await Promise.all([a, b, brief("a", async () => "again")])).toEqual(["made", "made", "made"]);
  expect(await brief("c", async () => "c")).toBe("c");
});

test("what takes longer than one is willing to wait is left out", async () => {
  expect(await within(60_000, Promise.resolve(1))).toBe(1);
  expect(await within(1, new Promise<number>(() => {}))).toBeNull();
});
