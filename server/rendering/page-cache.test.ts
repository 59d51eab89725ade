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

/** Makes the pauses of an address with too many requests pass immediately. */
const skipPauses = () => vi.useFakeTimers({ toFake: ["setTimeout"] });
afterEach(() => vi.useRealTimers());

/** Creates a cache, the list of started renderings, and a function that ends the oldest of them. */
function bench(ttl?: number) {
  const cache = new PageCache(ttl);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const getPage = (address: string, view: string) =>
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
  return { cache, getPage, begun, end };
}

test("renders a view once for concurrent requests from any address, and for those shortly after", async () => {
  const { getPage, begun, end } = bench(60_000);
  const all = [getPage("a", "/"), getPage("a", "/"), getPage("b", "/"), getPage("c", "/")];
  await end();
  expect((await Promise.all(all)).map(textOf)).toEqual(Array(4).fill("/ 1"));
  expect(textOf(await getPage("d", "/"))).toBe("/ 1");
  expect(begun).toEqual(["/"]);
});

test("renders a view again after that, and immediately after a failure", async () => {
  const cache = new PageCache(1);
  let rendered = 0;
  const render = async () => pageOf(String(++rendered));
  await cache.get("a", "/", render);
  await until(async () => textOf(await cache.get("a", "/", render)) === "2");
  const lasting = new PageCache(60_000);
  await expect(lasting.get("a", "/", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(textOf(await lasting.get("a", "/", async () => pageOf("there")))).toBe("there");
});

test("four hundred views of one address don't delay another address, not even with one of the same views", async () => {
  skipPauses();
  const { getPage, begun, end } = bench();
  const flood = Array.from({ length: 400 }, (_, at) => getPage("hostile", `/product/${at}`));
  const outcomes = Promise.allSettled(flood);
  const honest = [getPage("honest", "/auctions"), getPage("honest", "/product/50")];
  await end(5);
  expect((await Promise.all(honest)).map((page) => page.status)).toEqual([200, 200]);
  // The hostile address never has more than one of the two places.
  expect(begun.slice(0, 2)).toEqual(["/product/0", "/auctions"]);
  expect(begun.indexOf("/product/50")).toBeLessThanOrEqual(4);
  await end(61);
  const answered = (await outcomes).filter(({ status }) => status === "fulfilled");
  expect(answered).toHaveLength(61);
});

test("sends a page that was rendered before if there is no room for a new one", async () => {
  const { cache, getPage, begun, end } = bench(1);
  const first = getPage("hostile", "/");
  await end();
  await first;
  await cache.get("hostile", "/gone", async () => pageOf("gone", 404));
  const flood = Array.from({ length: 61 }, (_, at) => getPage("hostile", `/product/${at}`));
  // Once this page is too old, so is the other.
  await until(() =>
    getPage("hostile", "/gone").then(
      () => false,
      ({ code }) => code === "resource-exhausted",
    ),
  );
  expect(textOf(await getPage("hostile", "/"))).toBe("/ 1");
  expect(begun.filter((view) => view === "/")).toHaveLength(1);
  await expect(getPage("hostile", "/never-seen")).rejects.toMatchObject({ code: "resource-exhausted" });
  skipPauses();
  await end(61);
  await Promise.all(flood);
});

test("refuses views once too many of all addresses wait", async () => {
  const { getPage, end } = bench();
  const flood = Array.from({ length: 602 }, (_, at) => getPage(`192.0.2.${at % 100}`, `/product/${at}`));
  await expect(getPage("honest", "/")).rejects.toMatchObject({ code: "unavailable" });
  await end(602);
  expect((await Promise.all(flood)).length).toBe(602);
});
