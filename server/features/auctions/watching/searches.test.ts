import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SavedSearch } from "#contract/watching.ts";
import { watchLimits } from "#domain/watching.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { product, remove } from "#tests/support/auctions.ts";
import { textIn } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { createProduct, productForm, readyPicture } from "#tests/support/pictures.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { matchItem } from "./match-item.ts";
import { notifyOfHits } from "./notify-of-hits.ts";
import { anchorOf } from "./search-anchors.ts";
import { savedSearch, savedSearchDue, savedSearchHit } from "./tables.ts";
import { tidyWatching } from "./work.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());

const db = () => w.services.database.db;
const student = () => person(w, "student", "active");

async function save(who: Person, filters: object, mail = "daily"): Promise<string> {
  const { status, body } = await who.caller.call("watching.saveSearch", { name: "Mine", filters, mail });
  expect(status).toBe(200);
  return textIn(body, "id");
}
const searchesOf = async (who: Person): Promise<SavedSearch[]> =>
  ((await who.caller.call("watching.searches")).body as { searches: SavedSearch[] }).searches;
const unseen = async (who: Person): Promise<number[]> =>
  (await searchesOf(who)).map((search) => search.unseen);

const hitsOf = async ({ id }: Person): Promise<number> =>
  await db().$count(
    savedSearchHit,
    sql`${savedSearchHit.searchId} in (select id from saved_search where user_id = ${id})`,
  );

/** Puts an item on sale, and matches it as the job does. */
async function putOnSale(changes: Parameters<typeof product>[2], by = seller): Promise<string> {
  const id = await product(w, by, changes);
  await matchItem(w.services.database, id);
  return id;
}

async function bell(who: Person) {
  return await db()
    .select({
      about: notification.about,
      ids: notification.ids,
      path: notification.path,
      mailId: notification.mailId,
    })
    .from(notification)
    .where(eq(notification.userId, who.id))
    .orderBy(notification.id);
}

/** Moves a search's notification times back by some hours. */
async function hoursPass(id: string, hours: number): Promise<void> {
  const back = sql`make_interval(hours => ${hours})`;
  await db()
    .update(savedSearch)
    .set({ toldAt: sql`told_at - ${back}`, mailedAt: sql`mailed_at - ${back}` })
    .where(eq(savedSearch.id, id));
  await db()
    .update(savedSearchDue)
    .set({ at: sql`at - ${back}` })
    .where(eq(savedSearchDue.searchId, id));
}

test.each([
  ["'writ' & 'oak' & 'desk'", "writ", "desk"],
  ["'phone':*", "phone*", ""],
  ["'desk' & 'mahogani':*", "mahogani*", "desk"],
  ["'desks' & 'lamps':*", "desks", "lamps*"],
])("the anchor of %s is %s and %s", (query, word, otherWord) => {
  expect(anchorOf(query)).toEqual({ word, otherWord });
});

test("a query without words has no anchor", () => {
  expect(anchorOf("")).toBeNull();
});

describe("a new item is found by", () => {
  const phone = {
    category: "electronics",
    subcategory: "Phones",
    productName: "Nokia 3310 phone",
    collectionPlace: "Cape Town",
  } as const;

  test.each([
    [{ search: "nokia" }, 1],
    [{ search: "phones nokia" }, 1],
    [{ search: "nok" }, 1],
    [{ search: "nokia samsung" }, 0],
    [{ search: "walnut" }, 1],
    [{ category: "electronics" }, 1],
    [{ category: "electronics", subcategory: "Phones" }, 1],
    [{ category: "electronics", subcategory: "Laptops" }, 0],
    [{ grade: "Grade A" }, 1],
    [{ grade: "New" }, 0],
    [{ search: "nokia", category: "home" }, 0],
    [{ search: "nokia", priceFrom: 15_000, priceTo: 15_000 }, 1],
    [{ search: "nokia", priceFrom: 15_001 }, 0],
    [{ search: "nokia", priceTo: 14_999 }, 0],
    [{ search: "nokia", delivery: "collection" }, 1],
    [{ search: "nokia", delivery: "courier" }, 0],
    [{ search: "the nokia" }, 1],
    [{ search: "nokia phone 33 10" }, 0],
    [{ search: "smart phone" }, 0],
  ])("%o: %d", async (filters, hits) => {
    const ada = await student();
    await save(ada, filters);
    const id = await putOnSale(phone);
    await matchItem(w.services.database, id);
    expect(await unseen(ada)).toEqual([hits]);
  });

  test("words that are written together, but not by its seller's searches", async () => {
    const [ada, bea] = [await student(), await student()];
    await save(ada, { search: "head phones" });
    await save(bea, { search: "headphones" });
    await putOnSale({ ...phone, productName: "Sony headphones" }, bea);
    expect([await unseen(ada), await unseen(bea)]).toEqual([[1], [0]]);
  });

  test("a job that its upload starts", async () => {
    const [ada, bea] = [await student(), await student()];
    await save(ada, { search: "harmonium" });
    const form = productForm({ productName: "Old harmonium", images: [await readyPicture(bea)] });
    expect((await createProduct(bea, form)).status).toBe(200);
    await until(async () => (await hitsOf(ada)) === 1);
  });
});

describe("the bell", () => {
  test("shows new items immediately, and further ones a day later", async () => {
    const ada = await student();
    const id = await save(ada, { search: "bandoneon", priceTo: 20_000 }, "never");
    await putOnSale({ productName: "Small bandoneon" });
    await notifyOfHits(w.services);
    await putOnSale({ productName: "Large bandoneon" });
    await notifyOfHits(w.services);
    const path = `/auctions?search=bandoneon&priceTo=20000&sort=newest&saved=${id}`;
    const first = { search: "Mine", items: "1", newest: "Small bandoneon" };
    expect(await bell(ada)).toEqual([{ about: first, ids: { searchId: id }, path, mailId: null }]);
    await hoursPass(id, 24);
    await notifyOfHits(w.services);
    expect((await bell(ada)).map(({ about }) => about)).toEqual([
      { search: "Mine", items: "2", newest: "Large bandoneon" },
    ]);
    await hoursPass(id, 24);
    await notifyOfHits(w.services);
    expect(await bell(ada)).toHaveLength(1);
  });

  test("doesn't show items that are gone or were seen", async () => {
    const [ada, bea] = [await student(), await student()];
    await save(ada, { search: "theremin" });
    const searchId = await save(bea, { search: "theremin" });
    const id = await putOnSale({ productName: "Theremin" });
    await bea.caller.call("watching.seeSearch", { searchId });
    await remove(seller, id);
    await notifyOfHits(w.services);
    expect([await bell(ada), await bell(bea), await unseen(ada)]).toEqual([[], [], [0]]);
    await tidyWatching(w.services);
  });
});

describe("the email", () => {
  test("is sent daily with what the bell shows, or weekly with the items of the week", async () => {
    const [daily, weekly] = [await student(), await student()];
    const ids = [
      await save(daily, { search: "ocarina" }, "daily"),
      await save(weekly, { search: "ocarina" }, "weekly"),
    ];
    const areMailed = async () =>
      await Promise.all([daily, weekly].map(async (who) => (await bell(who)).at(-1)?.mailId !== null));
    await putOnSale({ productName: "First ocarina" });
    await notifyOfHits(w.services);
    expect(await areMailed()).toEqual([true, true]);
    for (const id of ids) await hoursPass(id, 24);
    for (const who of [daily, weekly]) await who.caller.call("notifications.markAllRead", { upTo: 999_999 });
    await putOnSale({ productName: "Second ocarina" });
    await notifyOfHits(w.services);
    expect(await areMailed()).toEqual([true, false]);
    for (const id of ids) await hoursPass(id, 6 * 24);
    for (const who of [daily, weekly]) await who.caller.call("notifications.markAllRead", { upTo: 999_999 });
    await notifyOfHits(w.services);
    expect(await areMailed()).toEqual([true, true]);
  });
});

test("a search belongs to its owner, who can save at most twenty", async () => {
  const [ada, bea] = [await student(), await student()];
  const ids = await Promise.all(
    Array.from({ length: watchLimits.searches }, () => save(ada, { search: "desk" })),
  );
  const more = { name: "More", filters: { search: "desk" }, mail: "never" };
  expect(await ada.caller.call("watching.saveSearch", more)).toMatchObject({ status: 429 });
  const [searchId = ""] = ids;
  const change = { searchId, name: "Desks", mail: "never" };
  expect(await bea.caller.call("watching.changeSearch", change)).toMatchObject({ status: 404 });
  expect(await ada.caller.call("watching.changeSearch", change)).toMatchObject({ status: 200 });
  expect((await searchesOf(ada)).find(({ id }) => id === searchId)).toMatchObject({
    name: "Desks",
    mail: "never",
  });
  expect(await bea.caller.call("watching.removeSearch", { searchId })).toMatchObject({ status: 404 });
  expect(await ada.caller.call("watching.removeSearch", { searchId })).toMatchObject({ status: 200 });
  expect(await searchesOf(ada)).toHaveLength(watchLimits.searches - 1);
});

test("a search without a word that counts is refused", async () => {
  const ada = await student();
  for (const search of ["", "the", "--"])
    expect(
      await ada.caller.call("watching.saveSearch", { name: "Any", filters: { search }, mail: "never" }),
    ).toMatchObject({ status: 422 });
});
