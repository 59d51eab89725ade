import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ListedProduct } from "#contract/auctions.ts";
import { auctionSorts } from "#domain/auction-list.ts";
import { endAt, product } from "#tests/auctions.ts";
import { Caller } from "#tests/caller.ts";
import { type Person, person } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";
import { settle } from "./commands/settle.ts";
import { auctionVocabulary } from "./tables.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());

/** The names that a search finds, whatever the order it is asked in. */
async function found(search: string, filter: object = {}): Promise<string[]> {
  const pages = await Promise.all(
    auctionSorts.map(async (sort) => {
      const { status, body } = await new Caller(w.app).call("auctions.list", { search, sort, ...filter });
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

const put = (productName: string, changes = {}) => product(w, seller, { productName, ...changes });

test("a part of a word, and several parts in any order", async () => {
  await put("Grand Piano stool");
  await put("Piano lamp");
  expect(await found("ian")).toEqual(["Grand Piano stool", "Piano lamp"]);
  expect(await found("stool piano")).toEqual(["Grand Piano stool"]);
  expect(await found("  PIANO \t st ")).toEqual(["Grand Piano stool"]);
  expect(await found("piano piano lam")).toEqual(["Piano lamp"]);
  expect(await found("piano table")).toEqual([]);
  // A short part stands at the beginning of a word, also beside others.
  expect(await found("piano to")).toEqual([]);
});

test("letter case does not count, accents do", async () => {
  await put("Crème BRÛLÉE Dishes");
  expect(await found("brûlée CRÈME")).toEqual(["Crème BRÛLÉE Dishes"]);
  expect(await found("rûl")).toEqual(["Crème BRÛLÉE Dishes"]);
  expect(await found("brulee")).toEqual([]);
});

test("no character means anything but itself", async () => {
  const names = ["It's {a,b}", 'Say "NULL" twice', "100%_cotton", "back\\slash", "two  spaces"];
  await Promise.all(names.map((name) => put(name)));
  for (const [search, name] of [
    ["it's", "It's {a,b}"],
    ["{a,b}", "It's {a,b}"],
    ['"null"', 'Say "NULL" twice'],
    ["%_c", "100%_cotton"],
    ["k\\s", "back\\slash"],
    ["\\", "back\\slash"],
    ["two spaces", "two  spaces"],
  ] as const)
    expect(await found(search), search).toEqual([name]);
  expect(await found("%_%")).toEqual([]);
});

test("a name and a search of very many words", async () => {
  const letters = "abcdefghijklmnopqrstuvwxyz".split("");
  const name = letters.map((letter) => `${letter}${letter}z`).join(" ");
  await put(name);
  expect(await found("zzz yyz")).toEqual([name]);
  expect(
    await found(
      letters
        .slice(6)
        .map((letter) => `${letter}${letter}z`)
        .toReversed()
        .join(" "),
    ),
  ).toEqual([name]);
});

test("within a category and a grade, whose own words find nothing", async () => {
  await put("Facetted glass", { category: "home", subcategory: "Decor", grade: "New" });
  expect(await found("facetted", { category: "home", subcategory: "Decor", grade: "New" })).toHaveLength(1);
  expect(await found("facetted", { grade: "Grade B" })).toEqual([]);
  expect(await found("facetted", { category: "fashion" })).toEqual([]);
  expect(await found("decor")).toEqual([]);
  expect(await found("facetted new")).toEqual([]);
});

test("what was settled is found no longer; its words stay, once each", async () => {
  const id = await put("Vanishing mirror");
  await put("Vanishing cabinet");
  expect(await found("vanishing")).toEqual(["Vanishing cabinet", "Vanishing mirror"]);
  await endAt(w, id, new Date(Date.now() - 1));
  expect(await found("vanishing")).toEqual(["Vanishing cabinet"]);
  await settle(w.services, id);
  expect(await found("vanishing")).toEqual(["Vanishing cabinet"]);
  const { db } = w.services.database;
  const kept = await db.select().from(auctionVocabulary).where(eq(auctionVocabulary.word, "vanishing"));
  expect(kept).toHaveLength(1);
});

test("two with the same new words, put up together", async () => {
  const names = ["Zyxa wvut rqpo", "rqpo Zyxa wvut", "wvut rqpo Zyxa"];
  await Promise.all(names.flatMap((name) => [put(name), put(name)]));
  expect(await found("wvut zyxa")).toHaveLength(6);
});
