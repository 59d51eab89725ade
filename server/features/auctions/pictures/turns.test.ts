import { expect, test } from "vitest";
import { crowded, Turns } from "./turns.ts";

/** Work that lasts until it is ended, and what has begun so far. */
function bench(limits = { ofAccount: 3, accounts: 2 }) {
  const turns = new Turns(limits);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const take = (account: string, name: string) =>
    turns.take(account, () => {
      begun.push(name);
      return new Promise<string>((resolve) => void ends.push(() => resolve(name)));
    });
  /** Ends what is running, as often as that. */
  async function end(times = 1) {
    for (let at = 0; at < times; at++) {
      ends.shift()?.();
      // What is next begins in the microtasks after that.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { take, begun, end };
}

test("an account waits for one piece of another's work, however many that has brought", async () => {
  const { take, begun, end } = bench();
  const all = [take("a", "a1"), take("a", "a2"), take("a", "a3"), take("b", "b1"), take("b", "b2")];
  expect(begun).toEqual(["a1"]);
  await end(5);
  expect(begun).toEqual(["a1", "b1", "a2", "b2", "a3"]);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "b2"]);
});

test("who comes while another is at work is next", async () => {
  const { take, begun, end } = bench();
  void take("a", "a1");
  void take("a", "a2");
  await end();
  void take("b", "b1");
  await end(2);
  expect(begun).toEqual(["a1", "a2", "b1"]);
});

test("beyond its share an account is turned away, as are more accounts than there is room for", async () => {
  const { take, end } = bench();
  const kept = [take("a", "a1"), take("a", "a2"), take("a", "a3"), take("b", "b1")];
  expect(await take("a", "a4")).toBe(crowded);
  expect(await take("c", "c1")).toBe(crowded);
  await end(4);
  await Promise.all(kept);
  const later = take("c", "c2");
  await end();
  expect(await later).toBe("c2");
});

test("work that fails keeps nobody from theirs", async () => {
  const turns = new Turns({ ofAccount: 2, accounts: 2 });
  const failed = turns.take("a", () => Promise.reject(new Error("out of luck")));
  const next = turns.take("a", async () => "done");
  await expect(failed).rejects.toThrow("out of luck");
  expect(await next).toBe("done");
});
