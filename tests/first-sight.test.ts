import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { auctionSights } from "#server/features/auctions/first-sight.ts";
import { auctionPicture, auctionProduct } from "#server/features/auctions/tables.ts";
import { loadFirstSight } from "#server/platform/first-sight-code.ts";
import { pageConfiguration } from "#server/platform/page-configuration.ts";
import { servePages } from "#server/platform/pages.ts";
import { bid, product } from "./auctions.ts";
import { Caller } from "./caller.ts";
import { type Person, person } from "./factories.ts";
import { until, type Wayfare, wayfare } from "./wayfare.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  buildPages();
  w = await wayfare();
  servePages(
    w.app,
    "build",
    pageConfiguration(w.environment),
    auctionSights(w.services, await loadFirstSight("build")),
  );
  seller = await person(w, "student", "active");
}, 300_000);
afterAll(() => w.stop());

const get = (path: string, headers: Record<string, string> = {}) => w.app.request(path, { headers });

/** What stands in the place of a page, and what the application is told beside it. */
function sightIn(html: string) {
  const [, markup = "", at, answer] =
    /<div data-first-sight="" class="[^"]*">(.*?)<script type="application\/json" data-at="(\d+)" data-held-for="1000">(.*?)<\/script><\/div>/s.exec(
      html,
    ) ?? [];
  return { markup, at: Number(at), answer: answer === undefined ? null : JSON.parse(answer) };
}
const sightOf = async (path: string, headers?: Record<string, string>) =>
  sightIn(await (await get(path, headers)).text());

/** The names that the call finds. */
async function listed(input: object): Promise<{ products: { productName: string }[]; next: string | null }> {
  const init = { method: "POST", headers: { "content-type": "application/json", "x-csrf-token": "orpc" } };
  const body = JSON.stringify({ json: input });
  const response = await new Caller(w.app).request("/rpc/auctions/list", { ...init, body });
  return JSON.parse(await response.text()).json;
}

test("a product's page tells what the call answers, by the server's clock, to members as to visitors", async () => {
  const bidder = await person(w, "student", "active");
  const id = await product(w, seller, { productName: "Brass </script><b>lamp</b>" });
  await bid(bidder.caller, id, 200);
  const before = Date.now();
  const answer: unknown = await (await get(`/auctions/products/${id}`)).json();
  for (const cookie of ["", bidder.caller.cookie]) {
    const sight = await sightOf(`/product/${id}`, { cookie });
    expect(sight.answer).toEqual(answer);
    expect(sight.at).toBeGreaterThanOrEqual(before);
    expect(sight.at).toBeLessThanOrEqual(Date.now());
    expect(sight.markup).toContain("Brass &lt;/script&gt;&lt;b&gt;lamp&lt;/b&gt;</h1>");
    expect(sight.markup).toContain("R200.00");
    expect(sight.markup).not.toContain(bidder.id);
  }
});

test("after a bid the page has the new price", async () => {
  const bidder = await person(w, "student", "active");
  const id = await product(w, seller);
  expect((await sightOf(`/product/${id}`)).answer.price).toBe(15_000);
  await bid(bidder.caller, id, 200);
  expect((await sightOf(`/product/${id}`)).answer.price).toBe(20_000);
});

test("its first picture is fetched ahead of everything else", async () => {
  const id = await product(w, seller);
  const picture = randomUUID();
  await w.services.database.db
    .insert(auctionPicture)
    .values({ id: picture, ownerId: seller.id, productId: id, width: 1200, height: 900 });
  const html = await (await get(`/product/${id}`)).text();
  expect(html.indexOf('as="image"')).toBeLessThan(html.indexOf('as="font"'));
  const [, preload = ""] = /<link rel="preload" as="image"([^>]*)\/>/.exec(html) ?? [];
  expect(preload).toContain(`imagesrcset="/pictures/${picture}/320.webp 320w`);
  const [, sizes = ""] = /imagesizes="([^"]*)"/.exec(preload) ?? [];
  expect(sightIn(html).markup).toContain(`sizes="${sizes}"`);
});

test("what is not there is not found, and shows nothing", async () => {
  const id = await product(w, seller);
  await w.services.database.db
    .update(auctionProduct)
    .set({ state: "removed" })
    .where(eq(auctionProduct.id, id));
  for (const gone of [id, randomUUID(), "nonsense", "00000000-0000-0000-0000-000000000000"]) {
    const response = await get(`/product/${gone}`);
    expect(response.status).toBe(404);
    expect(sightIn(await response.text()).answer).toBeNull();
  }
});

test("the auctions show what the address asks for, as the call answers it", async () => {
  const mark = randomUUID().slice(0, 8);
  const names = ["Nokia", "Oval table", "Lamp"].map((name) => `${name} ${mark}`);
  await product(w, seller, {
    productName: names[0] ?? "",
    category: "electronics",
    subcategory: "Phones",
    startingBid: 300,
  });
  await product(w, seller, { productName: names[1] ?? "", startingBid: 200 });
  await product(w, seller, { productName: names[2] ?? "", startingBid: 100 });
  const asked: [string, object][] = [
    [`?search=${mark}&sort=priceUp`, { search: mark, sort: "priceUp" }],
    [`?search=+${mark}&category=home`, { search: mark, category: "home" }],
    [`?search=${mark}&category=nonsense&grade=Z&sort=up&cursor=x`, { search: mark }],
    [`?search=${mark}nothing`, { search: `${mark}nothing` }],
  ];
  for (const [search, input] of asked) {
    const { markup, answer } = await sightOf(`/auctions${search}`);
    const { products, next } = await listed(input);
    expect({ products: answer.json.products, next: answer.json.next }, search).toEqual({ products, next });
    for (const { productName } of products) expect(markup).toContain(productName);
  }
  expect((await sightOf(`/auctions?search=${mark}nothing`)).markup).toContain("Nothing found");
});

test("its classes are those of the styles in the page", async () => {
  await product(w, seller);
  const html = await (await get("/auctions")).text();
  const classes = [...sightIn(html).markup.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  const modules = [...new Set(classes)].filter((name) => name.startsWith("_"));
  expect(modules.length).toBeGreaterThan(5);
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style).join("");
  for (const name of modules) expect(styles, name).toContain(`.${name}`);
});

test("every built page begins its application after the first paint", () => {
  const { prerendered }: { prerendered: string[] } = JSON.parse(readFileSync("build/routes.json", "utf8"));
  return Promise.all(
    [...prerendered, "/no-such-page"].map(async (path) => {
      const html = await (await get(path)).text();
      expect(html, path).not.toContain('modulepreload" href=');
      expect(html, path).toMatch(/await import\("\/assets\/entry\.client-[^"]+"\)/);
    }),
  );
});

test("without the database a page goes out and says by itself that it waits", async () => {
  const id = await product(w, seller);
  const cut = await wayfare({ on: w.address });
  servePages(
    cut.app,
    "build",
    pageConfiguration(cut.environment),
    auctionSights(cut.services, await loadFirstSight("build")),
  );
  await cut.services.database.close();
  for (const path of ["/auctions", `/product/${id}`]) {
    const response = await cut.app.request(path);
    expect(response.status, path).toBe(200);
    const html = await response.text();
    expect(sightIn(html).answer, path).toBeNull();
    expect(html, path).toContain("Loading ");
  }
  await until(() => cut.log.some(({ msg }) => msg === "what a page shows first could not be made"));
  await cut.stop().catch(() => {});
});
