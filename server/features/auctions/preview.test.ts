import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { built } from "#domain/configuration.ts";
import { auctionPicture, auctionProduct } from "#server/features/auctions/tables.ts";
import { servePages } from "#server/platform/pages.ts";
import { product } from "#tests/auctions.ts";
import { type Person, person } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";
import { auctionSights } from "./first-sight.ts";

const html = `<html><head><title>Wayfare</title><script>start()</script></head><body></body></html>`;
const ofProducts = html.replace("<body>", '<body><div data-first-sight=""></div>');
const code = {
  productsAsked: () => ({}),
  auctions: () => ({ markup: "", picture: null }),
  product: () => ({ markup: "", picture: null }),
};
let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare({ variables: { BASE_URL: "https://wayfare.example" } });
  seller = await person(w, "student", "active");
  const build = await mkdtemp(join(tmpdir(), "wayfare-preview-"));
  await Promise.all(
    ["404", "500", "product/any"].map((page) => mkdir(join(build, "client", page), { recursive: true })),
  );
  const routes = {
    routes: ["/my-bids", "/product/:productId"],
    inPlaceOfForm: { "/product/:productId": "/product/any" },
    prerendered: [],
    ofMembers: [],
    samples: [],
  };
  await writeFile(join(build, "routes.json"), JSON.stringify(routes));
  for (const file of ["__spa-fallback.html", "404/index.html", "500/index.html"])
    await writeFile(join(build, "client", file), html);
  await writeFile(join(build, "client/product/any/index.html"), ofProducts);
  servePages(w.app, build, { ...built, baseUrl: "https://wayfare.example" }, auctionSights(w.services, code));
});
afterAll(() => w.stop());

const get = (path: string, headers: Record<string, string> = {}) => w.app.request(path, { headers });

test("a product's address previews its name, description and first picture", async () => {
  const id = await product(w, seller, {
    productName: "Brass lamp",
    description: `Bright.\n\n${"Very old. ".repeat(60)}`,
  });
  const picture = "11111111-1111-4111-8111-111111111111";
  await w.services.database.db
    .insert(auctionPicture)
    .values({ id: picture, ownerId: seller.id, productId: id, width: 1200, height: 900 });
  for (const path of [`/product/${id}`, `/product/${id}/`, `/product/${id.toUpperCase()}`]) {
    const response = await get(path);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain("<title>Brass lamp · Wayfare</title>");
    expect(text).toContain(`<link rel="canonical" href="https://wayfare.example/product/${id}"/>`);
    expect(text).toContain(
      `property="og:image" content="https://wayfare.example/pictures/${picture}/800.jpg"`,
    );
    expect(text).toContain('property="og:image:height" content="600"');
    const description = /name="description" content="([^"]*)"/.exec(text)?.[1] ?? "";
    expect(description).toMatch(/^Grade A · Furniture\. Bright\. Very old\. .*…$/);
    expect(description.length).toBeLessThanOrEqual(201);
  }
});

test("search engines read what is on offer, at which price and till when", async () => {
  const endDate = new Date(Date.now() + 86_400_000);
  const id = await product(w, seller, { productName: "Brass lamp", startingBid: 125_050, endDate });
  const text = await (await get(`/product/${id}`)).text();
  const [data = ""] = /(?<=<script type="application\/ld\+json">)[^<]*/.exec(text) ?? [];
  expect(JSON.parse(data)).toMatchObject({
    "@type": "Product",
    name: "Brass lamp",
    category: "Home > Furniture",
    itemCondition: "https://schema.org/UsedCondition",
    offers: {
      url: `https://wayfare.example/product/${id}`,
      price: "1250.50",
      priceCurrency: "ZAR",
      availability: "https://schema.org/InStock",
      availabilityEnds: endDate.toISOString(),
    },
  });
});

test("a hostile name stays a name, under the policy of the shell", async () => {
  const id = await product(w, seller, { productName: "</title><script>alert(1)</script>" });
  const response = await get(`/product/${id}`);
  const text = await response.text();
  expect(text.match(/<script[ >](?!type="application\/(ld\+)?json")/g)).toHaveLength(1);
  expect(text).toContain("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; · Wayfare</title>");
  const policy = (answer: Response) => answer.headers.get("content-security-policy");
  expect(policy(response)).toBe(policy(await get("/my-bids")));
});

test("what was removed or never was is not found, and not to be indexed", async () => {
  const id = await product(w, seller, { productName: "Gone" });
  await w.services.database.db
    .update(auctionProduct)
    .set({ state: "removed" })
    .where(eq(auctionProduct.id, id));
  for (const of of [id, "00000000-0000-4000-8000-000000000000", "nonsense", "%22%3E"]) {
    const response = await get(`/product/${of}`);
    expect(response.status, of).toBe(404);
    const text = await response.text();
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    expect(text).not.toMatch(/og:|Gone/);
  }
});

test("any other address has the plain shell", async () => {
  expect(await (await get("/my-bids")).text()).toBe(html);
});

test("it is compressed for whoever reads that", async () => {
  const id = await product(w, seller, { productName: "Brass lamp" });
  const response = await get(`/product/${id}`, { "accept-encoding": "gzip, deflate" });
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(response.headers.get("vary")).toBe("accept-encoding");
  expect(gunzipSync(await response.arrayBuffer()).toString()).toContain(
    "<title>Brass lamp · Wayfare</title>",
  );
});
