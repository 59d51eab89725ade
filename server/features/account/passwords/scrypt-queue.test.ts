import { constants, getPriority } from "node:os";
import { expect, test } from "vitest";
import { ScryptQueue } from "./scrypt-queue.ts";

const quick = { N: 1024, r: 8, p: 1 };
const derive = (queue: ScryptQueue, address = "192.0.2.1", isKnown = false) =>
  queue.derive("password", "salt", [quick], { address, isKnown });
const failure = { code: "unavailable", status: 503, data: { retryAfter: 5 } };
const times = <Each>(number: number, make: (at: number) => Each) =>
  Array.from({ length: number }, (_, at) => make(at));

test("works on so many, has so many wait, refuses one more, and has room again afterwards", async () => {
  const queue = new ScryptQueue({ concurrency: 2, room: { ofAddress: 3, ofAll: 9 } });
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

/** The names of what is hashed, in the order in which it is done. */
function recording(queue: ScryptQueue) {
  const done: string[] = [];
  const all: Promise<unknown>[] = [];
  const run = (name: string, address: string, isKnown = false) =>
    void all.push(derive(queue, address, isKnown).then(() => done.push(name)));
  return { run, done, isOver: () => Promise.all(all) };
}

test("an address that has forty waiting holds up another's by one", async () => {
  const { run, done, isOver } = recording(
    new ScryptQueue({ concurrency: 1, room: { ofAddress: 40, ofAll: 50 } }),
  );
  for (let at = 0; at < 40; at++) run("hostile", "192.0.2.1");
  run("honest", "192.0.2.2");
  run("honest", "192.0.2.2");
  await isOver();
  expect(done.slice(0, 4)).toEqual(["hostile", "honest", "hostile", "honest"]);
});

test("strangers of a hundred addresses leave every other turn, and room, to known browsers", async () => {
  const { run, done, isOver } = recording(
    new ScryptQueue({ concurrency: 1, room: { ofAddress: 1, ofAll: 100 } }),
  );
  for (let at = 0; at < 100; at++) run("stranger", `192.0.2.${at}`);
  for (let at = 0; at < 3; at++) run("known", `198.51.100.${at}`, true);
  await isOver();
  expect(done).toHaveLength(103);
  expect(done.slice(0, 6)).toEqual(["stranger", "known", "stranger", "known", "stranger", "known"]);
});

test("its process gives way to everybody else's", async () => {
  const queue = new ScryptQueue();
  await derive(queue);
  expect(getPriority(queue.pid ?? 0)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
});

test("a process that ends fails what waits for it, and the next one finds a new process", async () => {
  const queue = new ScryptQueue();
  const [first] = await derive(queue);
  const turn = { address: "192.0.2.1", isKnown: false };
  const slow = queue.derive("password", "salt", [{ N: 2 ** 17, r: 8, p: 8 }], turn);
  // It waits in the queue until its turn comes.
  await new Promise((resolve) => void setImmediate(resolve));
  process.kill(queue.pid ?? 0, "SIGKILL");
  await expect(slow).rejects.toThrow("the process for passwords ended");
  expect(await derive(queue)).toEqual([first]);
});
