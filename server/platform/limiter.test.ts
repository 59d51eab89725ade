import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Refusal } from "#server/refusal.ts";
import { Limiter } from "./limiter.ts";

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Runs work that lasts until it is ended, and records the keys of the work that has begun. */
function bench(bounds: ConstructorParameters<typeof Limiter>[0]) {
  const limiter = new Limiter(bounds);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string, signal?: AbortSignal) =>
    limiter.run(
      key,
      () => {
        begun.push(key);
        return new Promise<string>((resolve) => void ends.push(() => resolve(key)));
      },
      signal,
    );
  /** Ends the oldest work, `times` times. */
  async function end(times = 1) {
    for (let at = 0; at < times; at++) {
      await settled();
      ends.shift()?.();
    }
    await settled();
  }
  return { limiter, run, begun, end };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  );

test("a key waits for one piece of another key's work, however many that key has queued", async () => {
  const { run, begun, end } = bench({ running: 1, waiting: 10 });
  const all = [run("a"), run("a"), run("a"), run("b"), run("b")];
  await settled();
  expect(begun).toEqual(["a"]);
  await end(5);
  expect(begun).toEqual(["a", "b", "a", "b", "a"]);
  expect(await Promise.all(all)).toEqual(["a", "a", "a", "b", "b"]);
});

test("a key that has its share running leaves the rest to others", async () => {
  const { run, begun, end } = bench({ running: 3, waiting: 10, ofKey: { running: 1 } });
  const all = [run("a"), run("a"), run("a"), run("b"), run("c"), run("d")];
  await settled();
  expect(begun).toEqual(["a", "b", "c"]);
  await end(6);
  expect(begun.toSorted()).toEqual(["a", "a", "a", "b", "c", "d"]);
  await Promise.all(all);
});

test("refuses work with Retry-After while a key, or all, have no room, and accepts it afterwards", async () => {
  const { run, end } = bench({ running: 1, waiting: 3, ofKey: { waiting: 2 } });
  const first = [run("a"), run("a"), run("a")];
  expect(await codeOf(run("a"))).toBe("resource-exhausted");
  const other = run("b");
  expect(await codeOf(run("c"))).toBe("unavailable");
  await expect(run("c")).rejects.toMatchObject({ data: { retryAfter: 1 } });
  await end(4);
  await Promise.all([...first, other]);
  const later = run("a");
  await end();
  expect(await later).toBe("a");
});

test("refuses with its owner's message", async () => {
  const { run, end } = bench({
    running: 1,
    waiting: 0,
    refusal: (whose) => new Refusal("unavailable", { message: `full of ${whose}`, retryAfter: 7 }),
  });
  const first = run("a");
  await expect(run("b")).rejects.toMatchObject({ message: "full of all", data: { retryAfter: 7 } });
  await end();
  await first;
});

test("a key with too much waiting work pauses before its next piece, while others go on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { run, begun, end } = bench({ running: 1, waiting: 10, ofKey: { crowd: 1, pause: 100 } });
  const all = [run("a"), run("a"), run("a")];
  await end();
  expect(begun).toEqual(["a"]);
  all.push(run("b"));
  await end();
  expect(begun).toEqual(["a", "b"]);
  vi.advanceTimersByTime(100);
  await end();
  // One is left, which is no crowd.
  expect(begun).toEqual(["a", "b", "a", "a"]);
  await end();
  expect(await Promise.all(all)).toEqual(["a", "a", "a", "b"]);
  vi.useRealTimers();
});

test("work that fails frees its place", async () => {
  const limiter = new Limiter({ running: 1, waiting: 1 });
  const failed = limiter.run("a", () => Promise.reject(new Error("out of luck")));
  const next = limiter.run("a", async () => "done");
  await expect(failed).rejects.toThrow("out of luck");
  expect(await next).toBe("done");
});

test("work that is aborted while it waits frees its place, and is never begun", async () => {
  const { limiter, run, begun, end } = bench({ running: 1, waiting: 1 });
  const first = run("a");
  const controller = new AbortController();
  const second = run("b", controller.signal);
  expect(limiter.waiting).toBe(1);
  controller.abort(new Error("nobody waits for it"));
  await expect(second).rejects.toThrow("nobody waits for it");
  expect(limiter.waiting).toBe(0);
  const third = run("c");
  await end(2);
  expect(await Promise.all([first, third])).toEqual(["a", "c"]);
  expect(begun).toEqual(["a", "c"]);
  await expect(run("d", controller.signal)).rejects.toThrow("nobody waits for it");
});

test("a turn that is ended twice frees one place", async () => {
  const limiter = new Limiter({ running: 1, waiting: 5 });
  const leave = await limiter.take("a");
  const next = await Promise.race([limiter.take("b"), settled()]);
  expect(next).toBeUndefined();
  leave();
  leave();
  await settled();
  expect(await Promise.race([limiter.take("c").then(() => "begun"), settled()])).toBeUndefined();
});

test("nested, the accounts of an address take turns, and the addresses do", async () => {
  const accounts = new Limiter({ running: Number.POSITIVE_INFINITY, waiting: 20, ofKey: { running: 1 } });
  const addresses = new Limiter({ running: 1, waiting: 20 });
  const begun: string[] = [];
  const work = async (name: string) => {
    begun.push(name);
    await settled();
  };
  const run = (account: string, address: string, name: string) =>
    accounts.run(account, () => addresses.run(address, () => work(name)));
  await Promise.all([
    run("a", "1", "a1"),
    run("a", "1", "a2"),
    run("a", "1", "a3"),
    run("b", "1", "b1"),
    run("c", "2", "c1"),
    run("c", "2", "c2"),
  ]);
  expect(begun).toEqual(["a1", "c1", "b1", "c2", "a2", "a3"]);
});

type Step = { kind: "bring"; key: string } | { kind: "end" | "abort"; at: number };
const keys = ["a", "b", "c", "d"];
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("bring"), key: fc.constantFrom(...keys) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("end"), at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("abort"), at: fc.nat(20) }) },
);
const bound = fc.record({
  running: fc.integer({ min: 1, max: 3 }),
  waiting: fc.nat(8),
  ofKey: fc.record({ running: fc.integer({ min: 1, max: 3 }), waiting: fc.nat(4) }),
});

type Piece = { key: string; state: "waiting" | "running" | "over"; end(): void; abort(): void };

test("keeps its bounds, loses no place and passes no key over twice, whatever starts, ends and is aborted", async () => {
  await fc.assert(
    fc.asyncProperty(bound, fc.array(step, { maxLength: 60 }), async (bounds, steps) => {
      const limiter = new Limiter(bounds);
      const pieces: Piece[] = [];
      const inState = (state: Piece["state"], key?: string) =>
        pieces.filter((each) => each.state === state && (key === undefined || each.key === key));
      /** For each key that waits and has nothing running: how often each other key has begun since. */
      const passes = new Map<string, Map<string, number>>();
      const mayRun = (key: string) => inState("running", key).length < bounds.ofKey.running;

      function noteStart(started: string) {
        passes.delete(started);
        for (const key of keys) {
          if (key === started) continue;
          if (inState("waiting", key).length === 0 || inState("running", key).length > 0) {
            passes.delete(key);
            continue;
          }
          const ofKey = passes.get(key) ?? new Map<string, number>();
          passes.set(key, ofKey.set(started, (ofKey.get(started) ?? 0) + 1));
          expect(ofKey.get(started)).toBeLessThanOrEqual(1);
        }
      }

      function bring(key: string) {
        const isFree = inState("running").length < bounds.running && mayRun(key);
        const isFull =
          inState("waiting", key).length >= bounds.ofKey.waiting ||
          inState("waiting").length >= bounds.waiting;
        const { promise, resolve } = Promise.withResolvers<void>();
        const controller = new AbortController();
        const piece: Piece = { key, state: "waiting", end: resolve, abort: () => controller.abort() };
        pieces.push(piece);
        const work = async () => {
          noteStart(key);
          piece.state = "running";
          await promise;
          piece.state = "over";
        };
        return limiter.run(key, work, controller.signal).catch((error: unknown) => {
          piece.state = "over";
          // May be refused only if there was no room.
          if (error instanceof Refusal) expect([isFree, isFull]).toEqual([false, true]);
          else expect(controller.signal.aborted).toBe(true);
        });
      }

      const all: Promise<void>[] = [];
      for (const each of steps) {
        if (each.kind === "bring") all.push(bring(each.key));
        else if (each.kind === "end") inState("running").at(each.at)?.end();
        else inState("waiting").at(each.at)?.abort();
        await settled();
        // A key with nothing waiting has given its place up.
        for (const key of keys) if (inState("waiting", key).length === 0) passes.delete(key);
        expect(inState("running").length).toBeLessThanOrEqual(bounds.running);
        expect(inState("waiting").length).toBeLessThanOrEqual(bounds.waiting);
        expect(limiter.waiting).toBe(inState("waiting").length);
        for (const key of keys) {
          expect(inState("running", key).length).toBeLessThanOrEqual(bounds.ofKey.running);
          expect(inState("waiting", key).length).toBeLessThanOrEqual(bounds.ofKey.waiting);
          // No place stays free while a key could run.
          if (inState("waiting", key).length > 0 && mayRun(key))
            expect(inState("running").length).toBe(bounds.running);
        }
      }
      // One at a time: a piece that has ended counts as running until the limiter learns of it.
      for (let [piece] = inState("running"); piece; [piece] = inState("running")) {
        piece.end();
        await settled();
      }
      await Promise.all(all);
      expect(inState("over").length).toBe(pieces.length);
    }),
    { numRuns: 500 },
  );
});
