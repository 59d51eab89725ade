import { mkdir } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { dataFolder, example, startExample, startProcess, tidyUp } from "./example.ts";
import { isLocked, takeLock } from "./lock.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
tidyUp();

const starter = `
  import { takeLock } from ${JSON.stringify(new URL("lock.ts", import.meta.url).href)};
  console.log("ready");
  process.stdin.once("data", () => takeLock(${JSON.stringify(example)}, process.argv[1]).then(
    () => console.log("won"),
    () => console.log("refused"),
  ));`;

/** Starts several processes at the same moment and returns their output; they keep running. */
async function race(folder: string, count: number) {
  const starters = Array.from({ length: count }, () => startProcess(starter, folder));
  await Promise.all(starters.map((one) => one.line()));
  for (const one of starters) one.child.stdin?.write("go\n");
  const lines = await Promise.all(starters.map((one) => one.line()));
  return { starters, lines };
}

test("exactly one of many starters gets the lock, also when its last holder was killed", async () => {
  const folder = await dataFolder();
  await mkdir(folder);
  for (let round = 0; round < 3; round++) {
    // Each round begins with what the killed winner of the one before has left.
    const { starters, lines } = await race(folder, 6);
    expect(lines.filter((word) => word === "won")).toHaveLength(1);
    expect(lines.filter((word) => word === "refused")).toHaveLength(5);
    expect(isLocked(example, folder)).toBe(true);
    await Promise.all(starters.map((one) => one.kill()));
    expect(isLocked(example, folder)).toBe(false);
  }
});

test("exactly one of several processes starts on an empty folder", async () => {
  const folder = await dataFolder();
  const lines = await Promise.all([1, 2, 3, 4].map(() => startExample(folder).line()));
  expect(lines.filter((line) => line === "started")).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith("Another Example is running"))).toHaveLength(3);
});

test("a released lock can be taken again, and a second release does no harm", async () => {
  const folder = await dataFolder();
  await mkdir(folder);
  const first = await takeLock(example, folder);
  await expect(takeLock(example, folder)).rejects.toThrow("Another Example is running");
  expect(isLocked(example, folder)).toBe(true);
  first.release();
  expect(isLocked(example, folder)).toBe(false);
  const second = await takeLock(example, folder);
  first.release();
  expect(isLocked(example, folder)).toBe(true);
  second.release();
});
