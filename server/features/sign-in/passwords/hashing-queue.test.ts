import { expect, test } from "vitest";
import { HashingQueue } from "./hashing-queue.ts";

const derive = (queue: HashingQueue, address = "192.0.2.1", isKnown = false) =>
  queue.run({ address, isKnown }, () => new Promise<void>((resolve) => void setImmediate(resolve)));
const failure = { code: "resource-exhausted", status: 429, data: { retryAfter: 5 } };
const times = <Each>(number: number, make: (at: number) => Each) =>
  Array.from({ length: number }, (_, at) => make(at));

test("runs and queues tasks up to its limits, refuses one more, and has room again afterwards", async () => {
  const queue = new HashingQueue({ concurrency: 2, room: { ofAddress: 3, ofAll: 9 } });
  const answers = await Promise.allSettled(times(7, () => derive(queue)));
  expect(answers.map(({ status }) => status)).toEqual([
    ...times(5, () => "fulfilled"),
    "rejected",
    "rejected",
  ]);
  await expect(Promise.all(times(5, () => derive(queue)))).resolves.toHaveLength(5);
  const all = times(6, () => derive(queue));
  await expect(all.at(-1)).rejects.toMatchObject(failure);
  await Promise.allSettled(all);
});

/** Records the names of tasks in the order in which they are done. */
function recording(queue: HashingQueue) {
  const done: string[] = [];
  const all: Promise<unknown>[] = [];
  const run = (name: string, address: string, isKnown = false) =>
    void all.push(derive(queue, address, isKnown).then(() => done.push(name)));
  return { run, done, finished: () => Promise.all(all) };
}

test("an address with forty waiting tasks delays another one's by a single task", async () => {
  const { run, done, finished } = recording(
    new HashingQueue({ concurrency: 1, room: { ofAddress: 40, ofAll: 50 } }),
  );
  for (let at = 0; at < 40; at++) run("hostile", "192.0.2.1");
  run("honest", "192.0.2.2");
  run("honest", "192.0.2.2");
  await finished();
  expect(done.slice(0, 4)).toEqual(["hostile", "honest", "hostile", "honest"]);
});

test("strangers from a hundred addresses leave every other turn, and room, to known browsers", async () => {
  const { run, done, finished } = recording(
    new HashingQueue({ concurrency: 1, room: { ofAddress: 1, ofAll: 100 } }),
  );
  for (let at = 0; at < 100; at++) run("stranger", `192.0.2.${at}`);
  for (let at = 0; at < 3; at++) run("known", `198.51.100.${at}`, true);
  await finished();
  expect(done).toHaveLength(103);
  expect(done.slice(0, 6)).toEqual(["stranger", "known", "stranger", "known", "stranger", "known"]);
});
