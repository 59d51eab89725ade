import { constants, getPriority } from "node:os";
import { expect, test } from "vitest";
import { ScryptQueue } from "./scrypt-queue.ts";

const quick = { N: 1024, r: 8, p: 1 };
const derive = (queue: ScryptQueue) => queue.derive("password", "salt", [quick]);
const failure = { code: "unavailable", status: 503, data: { retryAfter: 5 } };

test("so many work and wait, one more is refused, and there is room again afterwards", async () => {
  const queue = new ScryptQueue({ concurrency: 2, mostQueued: 3 });
  const answers = await Promise.allSettled(Array.from({ length: 7 }, () => derive(queue)));
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => "fulfilled"),
    "rejected",
    "rejected",
  ]);
  await expect(Promise.all(Array.from({ length: 5 }, () => derive(queue)))).resolves.toHaveLength(5);
  const all = Array.from({ length: 6 }, () => derive(queue));
  await expect(all.at(-1)).rejects.toMatchObject(failure);
  await Promise.allSettled(all);
});

test("its process gives way to everybody else's", async () => {
  const queue = new ScryptQueue();
  await derive(queue);
  expect(getPriority(queue.pid ?? 0)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
});

test("a process that ends fails what waits for it, and the next one finds a new process", async () => {
  const queue = new ScryptQueue();
  const [first] = await derive(queue);
  const slow = queue.derive("password", "salt", [{ N: 2 ** 17, r: 8, p: 8 }]);
  process.kill(queue.pid ?? 0, "SIGKILL");
  await expect(slow).rejects.toThrow("the process for passwords ended");
  expect(await derive(queue)).toEqual([first]);
});
