import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { user } from "#server/features/account/tables.ts";
import { auctionPicture, auctionProduct } from "#server/features/auctions/tables.ts";
import { pageConfiguration, serveBuild } from "#server/pages.ts";
import { type Build, createRenderer } from "#server/rendering/render.ts";
import { localCalls } from "#server/rendering/render-thread.ts";
import { bid, closed, product, remove } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctions } from "../../web/content/home.ts";

let w: Wayfare;
let seller: Person;
const { TZ } = process.env;
beforeAll(async () => {
  buildPages();
  // At noon in UTC it is already tomorrow there.
  process.env["TZ"] = "Pacific/Kiritimati";
  w = await wayfare({ variables: { BASE_URL: "https://study.example" } });
  await serveBuild(w.app, "build", w.services);
  seller = await person(w, "student", "active");
}, 300_000);
afterAll(async () => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
  await w.stop();
});

const get = (path: string) => w.app.request(path);
const textOf = async (path: string) => (await get(path)).text();
const headlineOf = (html: string) => /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1];

describe("a product's page", () => {
  test("shows the data of the call", async () => {
    const bidder = await person(w, "student", "active");
    const id = await product(w, seller, { productName: "Brass </script><b>lamp</b>" });
    await bid(bidder.caller, id, 200);
    const html = await textOf(`/product/${id}`);
    expect(headlineOf(html)).toBe("Brass &lt;/script&gt;&lt;b&gt;lamp&lt;/b&gt;");
    expect(html).not.toContain("</script><b>");
    expect(html).toContain("R200.00");
    expect(html).not.toContain(bidder.id);
  });

  test("has dates in UTC, wherever the server is", async () => {
    const member = await person(w, "student", "active");
    const noon = new Date("2026-01-31T12:00:00Z");
    await w.services.database.db.update(user).set({ createdAt: noon }).where(eq(user.id, member.id));
    const html = await textOf(`/product/${await product(w, member)}`);
    expect(html.replaceAll("<!-- -->", "")).toContain("Member since 31 Jan 2026");
  });

  test("has its data in development too, where no worker thread renders it", async () => {
    const id = await product(w, seller, { productName: "Brass lamp" });
    const build: Build = await import(pathToFileURL(resolve("build/server/index.js")).href);
    const render = createRenderer(build, pageConfiguration(w.services), null);
    const request = { url: `https://study.example/product/${id}`, requestId: "1" };
    const { text } = await render(request, localCalls(w.services));
    expect(headlineOf(Buffer.from(text).toString())).toBe("Brass lamp");
    const list = await render({ ...request, url: "https://study.example/auctions" }, localCalls(w.services));
    expect(Buffer.from(list.text).toString()).toContain("Brass lamp");
  });

  test("has the new price within a second of a bid", async () => {
    const bidder = await person(w, "student", "active");
    const id = await product(w, seller);
    expect(await textOf(`/product/${id}`)).toContain("R150.00");
    await bid(bidder.caller, id, 4321);
    await until(async () => (await textOf(`/product/${id}`)).includes("R4,321.00"));
  });

  test("preloads its first picture before its scripts", async () => {
    const id = await product(w, seller);
    const picture = randomUUID();
    await w.services.database.db
      .insert(auctionPicture)
      .values({ id: picture, ownerId: seller.id, productId: id, width: 1200, height: 900 });
    const html = await textOf(`/product/${id}`);
    const [preload = ""] = /<link rel="preload" as="image"[^>]*\/>/.exec(html) ?? [];
    expect(preload).toContain(`/pictures/${picture}/320.webp 320w`);
    expect(html.indexOf(preload)).toBeLessThan(html.indexOf('rel="later"'));
  });

  test("describes itself to programs that make a preview of its link", async () => {
    const id = await product(w, seller, {
      productName: "Brass lamp",
      description: `Bright.\n\n${"Very old. ".repeat(60)}`,
    });
    const picture = randomUUID();
    await w.services.database.db
      .insert(auctionPicture)
      .values({ id: picture, ownerId: seller.id, productId: id, width: 1200, height: 900 });
    for (const path of [`/product/${id}`, `/product/${id.toUpperCase()}`]) {
      const html = await textOf(path);
      expect(html).toContain("<title>Brass lamp · Wayfare</title>");
      expect(html).toContain(`<link rel="canonical" href="https://study.example/product/${id}"/>`);
      expect(html).toContain(
        `property="og:image" content="https://study.example/pictures/${picture}/800.jpg"`,
      );
      expect(html).toContain('property="og:image:height" content="600"');
      const description = /name="description" content="([^"]*)"/.exec(html)?.[1] ?? "";
      expect(description).toMatch(/^Grade A · Furniture\. Bright\. Very old\. .*…$/);
      expect(description.length).toBeLessThanOrEqual(201);
    }
  });

  test("tells search engines the item, its price and its end", async () => {
    const endDate = new Date(Date.now() + 86_400_000);
    const id = await product(w, seller, { productName: "Brass lamp", startingBid: 125_050, endDate });
    const [data = ""] =
      /(?<=<script type="application\/ld\+json">)[^<]*/.exec(await textOf(`/product/${id}`)) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      "@type": "Product",
      name: "Brass lamp",
      category: "Home > Furniture",
      itemCondition: "https://schema.org/UsedCondition",
      offers: {
        url: `https://study.example/product/${id}`,
        price: "1250.50",
        priceCurrency: "ZAR",
        availability: "https://schema.org/InStock",
        availabilityEnds: endDate.toISOString(),
      },
    });
  });

  test("of a removed or unknown item is not found and not indexed", async () => {
    const id = await product(w, seller, { productName: "Gone" });
    await w.services.database.db
      .update(auctionProduct)
      .set({ state: "removed" })
      .where(eq(auctionProduct.id, id));
    for (const gone of [id, randomUUID(), "nonsense", "%22%3E", "00000000-0000-0000-0000-000000000000"]) {
      const response = await get(`/product/${gone}`);
      expect(response.status, gone).toBe(404);
      expect(response.headers.get("x-robots-tag")).toBe("noindex");
      const html = await response.text();
      expect(html).toContain("Product not found!");
      expect(html).toContain("<title>Product not found · Wayfare</title>");
      expect(html).toMatch(/<noscript>.*Wayfare needs JavaScript.*<\/noscript>/);
      expect(html).not.toMatch(/og:title|Gone/);
    }
  });
});

describe("the auctions", () => {
  async function listed(input: object): Promise<string[]> {
    const { body } = await new Caller(w.app).call("auctions.list", input);
    return (body as { products: { id: string }[] }).products.map(({ id }) => id);
  }

  test("show the list that the address selects, with the data of the call", async () => {
    await product(w, seller, { productName: "Nokia", category: "electronics", subcategory: "Phones" });
    await product(w, seller, { productName: "Oval table", startingBid: 200 });
    for (const [query, input] of [
      ["?category=electronics&sort=priceUp", { category: "electronics", sort: "priceUp" }],
      ["?category=home", { category: "home" }],
      ["?category=nonsense&grade=Z&sort=up&cursor=x&category=fashion", {}],
    ] as const) {
      const ids = await listed(input);
      const html = await textOf(`/auctions${query}`);
      const at = ids.map((id) => html.indexOf(`href="/product/${id}"`));
      expect(at, query).toEqual(at.toSorted((a, b) => a - b));
      expect(at, query).not.toContain(-1);
    }
  });

  test("leave a search to the browser, since every search differs", async () => {
    const [one, other] = await Promise.all([textOf("/auctions?search=a"), textOf("/auctions?search=b")]);
    expect(one).toBe(other);
    expect(one).toContain("Loading auctions");
  });
});

test("the site map that robots.txt names lists the items on sale, and none that ended or was removed", async () => {
  const onSale = await product(w, seller);
  const others = [
    await product(w, seller, closed),
    await product(w, seller, { ...closed, state: "sold", winningBid: 15_000 }),
    await product(w, seller),
  ];
  await remove(seller, others.at(-1) ?? "");
  const siteMap = "https://study.example/sitemap-items.xml";
  expect((await textOf("/robots.txt")).split("\n")).toContain(`Sitemap: ${siteMap}`);
  const answer = await get("/sitemap-items.xml");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/xml; charset=utf-8",
  ]);
  const xml = await answer.text();
  expect(xml).toContain(`<loc>https://study.example/product/${onSale}</loc>`);
  for (const id of others) expect(xml).not.toContain(id);
});

test("home introduces the auctions and links to them", async () => {
  const html = await textOf("/");
  expect(html).toContain(auctions.title);
  expect(html).toContain(auctions.lead);
  expect(html).toMatch(/<a [^>]*href="\/auctions"[^>]*>See open auctions<\/a>/);
});
