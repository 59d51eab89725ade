import { afterEach, expect, test, vi } from "vitest";
import { until } from "#tests/support/wayfare.ts";
import { PageCache } from "./page-cache.ts";
import type { Page } from "./render.ts";

const pageOf = (text: string, status = 200): Page => {
  const bytes = new Uint8Array(Buffer.from(text));
  return { status, headers: {}, text: bytes, brotli: bytes };
};
const textOf = ({ text }: Page) => Buffer.from(text).toString();
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** From now on the pauses of an address that asks for too much pass at once. */
const skipPauses = () => vi.useFakeTimers({ toFake: ["setTimeout"] });
afterEach(() => vi.useRealTimers());

/** A cache, what was begun to be rendered, and the function that ends the rendering that began first. */
function bench(keptFor?: number) {
  const cache = new PageCache(keptFor);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (address: string, view: string) =>
    cache.get(address, view, () => {
      begun.push(view);
      return new Promise((resolve) => void ends.push(() => resolve(pageOf(`${view} ${begun.length}`))));
    });
  async function end(times = 1) {
    for (let at = 0; at < times; at++) {
      await settled();
      if (vi.isFakeTimers()) vi.runAllTimers();
      await settled();
      ends.shift()?.();
    }
    await settled();
  }
  return { cache, ask, begun, end };
}

test("renders a view once for all who ask at the same time, from wherever, and shortly after", async () => {
  const { ask, begun, end } = bench(60_000);
  const all = [ask("a", "/"), ask("a", "/"), ask("b", "/"), ask("c", "/")];
  await end();
  expect((await Promise.all(all)).map(textOf)).toEqual(Array(4).fill("/ 1"));
  expect(textOf(await ask("d", "/"))).toBe("/ 1");
  expect(begun).toEqual(["/"]);
});

test("renders it anew after that, and what failed right away", async () => {
  const cache = new PageCache(1);
  let rendered = 0;
  const render = async () => pageOf(String(++rendered));
  await cache.get("a", "/", render);
  await until(async () => textOf(await cache.get("a", "/", render)) === "2");
  const lasting = new PageCache(60_000);
  await expect(lasting.get("a", "/", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(textOf(await lasting.get("a", "/", async () => pageOf("there")))).toBe("there");
});

test("four hundred views of one address don't hold up another address, not even with a view that is among them", async () => {
  skipPauses();
  const { ask, begun, end } = bench();
  const flood = Array.from({ length: 400 }, (_, at) => ask("hostile", `/product/${at}`));
  const outcomes = Promise.allSettled(flood);
  const honest = [ask("honest", "/auctions"), ask("honest", "/product/50")];
  await end(5);
  expect((await Promise.all(honest)).map((page) => page.status)).toEqual([200, 200]);
  // Only one of the two places is ever theirs.
  expect(begun.slice(0, 2)).toEqual(["/product/0", "/auctions"]);
  expect(begun.indexOf("/product/50")).toBeLessThanOrEqual(4);
  await end(61);
  const answered = (await outcomes).filter(({ status }) => status === "fulfilled");
  expect(answered).toHaveLength(61);
});

test("a page that was rendered before stands in where there is no room for a new one", async () => {
  const { cache, ask, begun, end } = bench(1);
  const first = ask("hostile", "/");
  await end();
  await first;
  await cache.get("hostile", "/gone", async () => pageOf("gone", 404));
  const flood = Array.from({ length: 61 }, (_, at) => ask("hostile", `/product/${at}`));
  // Once this one is too old, so is the other.
  await until(() =>
    ask("hostile", "/gone").then(
      () => false,
      ({ code }) => code === "resource-exhausted",
    ),
  );
  expect(textOf(await ask("hostile", "/"))).toBe("/ 1");
  expect(begun.filter((view) => view === "/")).toHaveLength(1);
  await expect(ask("hostile", "/never-seen")).rejects.toMatchObject({ code: "resource-exhausted" });
  skipPauses();
  await end(61);
  await Promise.all(flood);
});

test("views of all addresses together wait for so many turns and no more", async () => {
  const { ask, end } = bench();
  const flood = Array.from({ length: 602 }, (_, at) => ask(`192.0.2.${at % 100}`, `/product/${at}`));
  await expect(ask("honest", "/")).rejects.toMatchObject({ code: "unavailable" });
  await end(602);
  expect((await Promise.all(flood)).length).toBe(602);
});
