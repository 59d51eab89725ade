import { mkdir } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { dataFolder, startProgram, startWayfare, tidyUp } from "#tests/support/wayfare-process.ts";
import { isLocked, takeLock } from "./lock.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
tidyUp();

const starter = `
  import { takeLock } from ${JSON.stringify(new URL("lock.ts", import.meta.url).href)};
  console.log("ready");
  process.stdin.once("data", () => takeLock(process.argv[1]).then(
    () => console.log("won"),
    () => console.log("refused"),
  ));`;

/** Starts several processes at the same moment and returns their output; they go on running. */
async function race(folder: string, count: number) {
  const starters = Array.from({ length: count }, () => startProgram(starter, folder));
  await Promise.all(starters.map((one) => one.line()));
  for (const one of starters) one.child.stdin?.write("go\n");
  const said = await Promise.all(starters.map((one) => one.line()));
  return { starters, said };
}

test("exactly one of many starters gets the lock, also when its last holder was killed", async () => {
  const folder = await dataFolder();
  await mkdir(folder);
  for (let round = 0; round < 3; round++) {
    // Each round begins with what the killed winner of the one before has left.
    const { starters, said } = await race(folder, 6);
    expect(said.filter((word) => word === "won")).toHaveLength(1);
    expect(said.filter((word) => word === "refused")).toHaveLength(5);
    expect(isLocked(folder)).toBe(true);
    await Promise.all(starters.map((one) => one.kill()));
    expect(isLocked(folder)).toBe(false);
  }
});

test("exactly one of several Wayfares starts on an empty folder", async () => {
  const folder = await dataFolder();
  const said = await Promise.all([1, 2, 3, 4].map(() => startWayfare(folder).line()));
  expect(said.filter((line) => line === "started")).toHaveLength(1);
  expect(said.filter((line) => line.startsWith("Another Wayfare is running"))).toHaveLength(3);
});

test("a lock that was let go of can be taken again, and letting go twice does no harm", async () => {
  const folder = await dataFolder();
  await mkdir(folder);
  const first = await takeLock(folder);
  await expect(takeLock(folder)).rejects.toThrow("Another Wayfare is running");
  expect(isLocked(folder)).toBe(true);
  first.release();
  expect(isLocked(folder)).toBe(false);
  const second = await takeLock(folder);
  first.release();
  expect(isLocked(folder)).toBe(true);
  second.release();
});
