import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedProduct } from "#contract/listed-products.ts";
import { auctionSorts } from "#domain/auction-list.ts";
import { endAt, product } from "#tests/support/auctions.ts";
import { type Answer, Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { settle } from "../settlement/settle.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());

/** Every call comes from a different address, to stay below the limit of searches. */
let host = 0;
const nextAddress = () => `10.0.${++host >> 8}.${host & 255}`;

/** Returns the names that a search finds, in every order. */
async function namesFound(search: string, filter: object = {}): Promise<string[]> {
  const pages = await Promise.all(
    auctionSorts.map(async (sort) => {
      const { status, body } = await new Caller(w.app, nextAddress()).call("auctions.list", {
        search,
        sort,
        ...filter,
      });
      expect(status).toBe(200);
      return (body as { products: ListedProduct[] }).products
        .map(({ productName }) => productName)
        .toSorted();
    }),
  );
  const [first = [], ...others] = pages;
  for (const each of others) expect(each, search).toEqual(first);
  return first;
}

const sell = (productName: string, changes = {}) => product(w, seller, { productName, ...changes });

test("finds words in any order, the last one also by its beginning", async () => {
  await sell("Grand Piano stool");
  await sell("Piano lamp");
  expect(await namesFound("stool piano")).toEqual(["Grand Piano stool"]);
  expect(await namesFound("  PIANO \t sto ")).toEqual(["Grand Piano stool"]);
  expect(await namesFound("pian")).toEqual(["Grand Piano stool", "Piano lamp"]);
  expect(await namesFound("piano piano lam")).toEqual(["Piano lamp"]);
  expect(await namesFound("piano table")).toEqual([]);
  expect(await namesFound("pian lamp")).toEqual([]);
});

test("finds a word of one or two letters as a whole word, or else by its beginning", async () => {
  await sell("HP printer");
  await sell("HPX printer");
  expect(await namesFound("hp")).toEqual(["HP printer"]);
  expect(await namesFound("printer hp")).toEqual(["HP printer"]);
  expect(await namesFound("printer h")).toEqual(["HP printer", "HPX printer"]);
  expect(await namesFound("zq")).toEqual([]);
});

test("ignores plural and singular, letter case and accents", async () => {
  await sell("Crème BRÛLÉE Dishes");
  await sell("Café lamp");
  await sell("Cıvıl Øre straße");
  expect(await namesFound("creme brulee dish")).toEqual(["Crème BRÛLÉE Dishes"]);
  expect(await namesFound("brûlée CRÈME")).toEqual(["Crème BRÛLÉE Dishes"]);
  expect(await namesFound("cafe lamps")).toEqual(["Café lamp"]);
  expect(await namesFound("civil ore strasse")).toEqual(["Cıvıl Øre straße"]);
});

test("finds words of the description and of the kind", async () => {
  await sell("Silver ThinkPad", {
    category: "electronics",
    subcategory: "Laptops",
    description: "Comes with its docking station.",
  });
  expect(await namesFound("thinkpad laptop")).toEqual(["Silver ThinkPad"]);
  expect(await namesFound("electronics thinkpad")).toEqual(["Silver ThinkPad"]);
  expect(await namesFound("docking stations")).toEqual(["Silver ThinkPad"]);
});

test("ignores punctuation, and finds words that are joined or separate", async () => {
  await sell("USB-C dock");
  await sell("iPhone 13 case");
  await sell("Galaxy S21Ultra");
  await sell("Levi's 501");
  for (const [search, name] of [
    ["usbc", "USB-C dock"],
    ["usb-c", "USB-C dock"],
    ["usb c dock", "USB-C dock"],
    ["iphone13", "iPhone 13 case"],
    ["case, iphone 13!", "iPhone 13 case"],
    ["galaxy s21 ultra", "Galaxy S21Ultra"],
    ["s21ultra", "Galaxy S21Ultra"],
    ["levis 501", "Levi's 501"],
    ["levi’s", "Levi's 501"],
  ] as const)
    expect(await namesFound(search), search).toEqual([name]);
});

test("corrects a typo in a word of five letters or more, when nothing matches", async () => {
  await sell("Wireless headphones");
  await sell("Kettle");
  expect(await namesFound("headphnes")).toEqual(["Wireless headphones"]);
  expect(await namesFound("wirless haedphones")).toEqual(["Wireless headphones"]);
  expect(await namesFound("ketle")).toEqual(["Kettle"]);
  expect(await namesFound("kete")).toEqual([]);
  // Correctly spelled words are not corrected.
  expect(await namesFound("wireless kettle")).toEqual([]);
});

test("corrects words written apart, and two swapped letters", async () => {
  await sell("Gaming laptop");
  await sell("Studio headset and earphones");
  expect(await namesFound("lap top")).toContain("Gaming laptop");
  expect(await namesFound("gaming lap top")).toEqual(["Gaming laptop"]);
  expect(await namesFound("studio head set")).toEqual(["Studio headset and earphones"]);
  expect(await namesFound("lpatop")).toContain("Gaming laptop");
  expect(await namesFound("gaming laptpo")).toEqual(["Gaming laptop"]);
});

describe("a corrected search", () => {
  const correctedOf = async (search: string) =>
    (await new Caller(w.app, nextAddress()).call("auctions.list", { search })).body;

  test("says what was searched for instead", async () => {
    await sell("Bamboo xylophone");
    expect(await correctedOf("bamboo xilophone")).toMatchObject({
      corrected: "bamboo xylophone",
      products: [{ productName: "Bamboo xylophone" }],
    });
  });

  test("is not announced when something matches, or nothing does", async () => {
    await sell("Copper saxophone");
    for (const search of ["saxophone", "copper sax", "saxophone c", "qqqqqqqq", ""])
      expect(await correctedOf(search), search).toMatchObject({ corrected: null });
  });
});

describe("sorted by relevance", () => {
  const ordered = async (search: string, input: object = {}) => {
    const { body } = await new Caller(w.app, nextAddress()).call("auctions.list", { search, ...input });
    return (body as { products: ListedProduct[] }).products.map(({ productName }) => productName);
  };
  const inDays = (days: number) => ({ endDate: new Date(Date.now() + days * 86_400_000) });

  beforeAll(async () => {
    await sell("Student desk, with lantern hole", inDays(1));
    await sell("Garden stool", { description: "A lantern stands well on it.", ...inDays(2) });
    await sell("Mount for a lantern", inDays(3));
    await sell("Storm lantern", inDays(5));
    await sell("Lantern, green", inDays(4));
  });

  test("products with the word in their name come before those that mention it, each by its end", async () => {
    expect(await ordered("lantern")).toEqual([
      "Lantern, green",
      "Storm lantern",
      "Student desk, with lantern hole",
      "Garden stool",
      "Mount for a lantern",
    ]);
  });

  test("a page continues where the previous one ended", async () => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await new Caller(w.app, nextAddress()).call("auctions.list", {
        search: "lantern",
        limit: 1,
        ...(cursor && { cursor }),
      });
      const page = body as { products: ListedProduct[]; next: string | null };
      names.push(...page.products.map(({ productName }) => productName));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(names).toEqual(await ordered("lantern"));
  });

  test("another order is kept when it is chosen", async () => {
    expect((await ordered("lantern", { sort: "endingSoonest" }))[0]).toBe("Student desk, with lantern hole");
  });
});

test("no character has a special meaning", async () => {
  await sell("Plain vase");
  for (const search of ["plain' | 'vase", "plain & vase", "(plain vase)", "plain:* vase", "plain <-> vase"])
    expect(await namesFound(search), search).toEqual(["Plain vase"]);
  expect(await namesFound("!plain")).toEqual(["Plain vase"]);
  expect(await namesFound("%_%")).toEqual(await namesFound(""));
  expect((await namesFound("the")).length).toBeGreaterThan(0);
});

test("a search of very many words uses the first ten", async () => {
  const name = "aaz bbz ccz ddz eez ffz ggz hhz iiz jjz";
  await sell(name);
  expect(await namesFound(`${name} ${"zzz ".repeat(10)}`)).toEqual([name]);
});

describe("a search costs a bounded amount", () => {
  const search = (caller: Caller, text: string) => caller.call("auctions.list", { search: text });

  test("an address that searches too often is asked to wait; others and the plain list are not", async () => {
    const [one, other] = [new Caller(w.app, "198.51.100.1"), new Caller(w.app, "198.51.100.2")];
    const answers: Answer[] = [];
    for (let at = 0; at < 121; at++) answers.push(await search(one, `lamp ${at}`));
    expect(answers.map(({ code }) => code)).toEqual([...Array(120).fill(null), "resource-exhausted"]);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await one.call("auctions.list")).status).toBe(200);
    expect((await search(other, "lamp")).status).toBe(200);
  });

  test("many concurrent searches from one address are answered, but wait for each other", async () => {
    const one = new Caller(w.app, "198.51.100.3");
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => search(one, `lamp ${at}`)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeLessThanOrEqual(20);
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => "resource-exhausted"));
  });

  test("a search that the database cancels gets a declared error that says what to do", async () => {
    const { searchPool } = w.services.database;
    // A short timeout on all connections for searches simulates very slow searches.
    const clients = await Promise.all(Array.from({ length: 3 }, () => searchPool.connect()));
    for (const client of clients) {
      await client.query("set statement_timeout = 50");
      client.release();
    }
    const { pool } = w.services.database;
    const locker = await pool.connect();
    try {
      // Every reader waits for this lock until the timeout.
      await locker.query("begin");
      await locker.query("lock table auction_product in access exclusive mode");
      expect(await search(new Caller(w.app, "198.51.100.4"), "lamp")).toMatchObject({
        code: "deadline-exceeded",
        message: "This search took too long. Please try a longer word, or fewer of them.",
      });
    } finally {
      await locker.query("rollback");
      locker.release();
      for (const client of await Promise.all(Array.from({ length: 3 }, () => searchPool.connect())))
        client.release(true);
    }
    expect((await search(new Caller(w.app, "198.51.100.4"), "lamp")).status).toBe(200);
  });

  test("a search leaves no prepared statement in the database", async () => {
    for (const text of ["lamp", "a b", "lamp a b", "lamp piano stool", "x y z"])
      expect((await search(new Caller(w.app, "198.51.100.5"), text)).status).toBe(200);
    const clients = await Promise.all(
      Array.from({ length: 3 }, () => w.services.database.searchPool.connect()),
    );
    for (const client of clients) {
      const { rows } = await client.query("select name from pg_prepared_statements");
      client.release();
      expect(rows).toEqual([]);
    }
  });
});

test("finds products within a category and a grade", async () => {
  await sell("Facetted glass", { category: "home", subcategory: "Decor", grade: "New" });
  expect(await namesFound("facetted", { category: "home", subcategory: "Decor", grade: "New" })).toHaveLength(
    1,
  );
  expect(await namesFound("facetted", { grade: "Grade B" })).toEqual([]);
  expect(await namesFound("facetted", { category: "fashion" })).toEqual([]);
  expect(await namesFound("facetted new")).toEqual([]);
});

test("no longer finds an ended or settled product", async () => {
  const id = await sell("Vanishing mirror");
  await sell("Vanishing cabinet");
  expect(await namesFound("vanishing")).toEqual(["Vanishing cabinet", "Vanishing mirror"]);
  await endAt(w, id, new Date(Date.now() - 1));
  expect(await namesFound("vanishing")).toEqual(["Vanishing cabinet"]);
  await settle(w.services, id);
  expect(await namesFound("vanishing")).toEqual(["Vanishing cabinet"]);
});

test("finds products with the same new words that are listed concurrently", async () => {
  const names = ["Zyxa wvut rqpo", "rqpo Zyxa wvut", "wvut rqpo Zyxa"];
  await Promise.all(names.flatMap((name) => [sell(name), sell(name)]));
  expect(await namesFound("wvut zyxa")).toHaveLength(6);
});
