import { categories, grades, subcategoriesOf } from "#domain/auction.ts";
import { auctionSorts } from "#domain/auction-list.ts";
import type { Caller } from "#tests/caller.ts";
import { fillAuctions } from "./auction-data.ts";
import { type House, openHouse } from "./house.ts";
import { type Figure, milliseconds, p99, time } from "./measure.ts";
import { productManners, productModels, productWords } from "./product-names.ts";

const [few, many] = [1_000, 1_000_000];
const calls = 1_000;
/**
 * A server that was just started is not what is measured: each of its connections meets each page of PostgreSQL's memory
 * for the first time once.
 */
const warmUp = { calls: 1_500, products: 200 };

type Subject = { house: House; caller: Caller; ids: string[] };
/** One call; rejects when it is refused. `at`: the how manieth it is. */
type Ask = (subject: Subject, at: number) => Promise<void>;

async function open(products: number): Promise<Subject> {
  const house = await openHouse();
  const { address, pool } = house.services.database;
  await fillAuctions(address, products);
  const { rows } = await pool.query<{ id: string }>("select id from auction_product order by id limit 1000");
  return { house, caller: house.caller(), ids: rows.map(({ id }) => id) };
}

const pick = <Each>(list: readonly Each[], at: number): Each | undefined => list[at % list.length];

/** Every kind of filter in turn: none, one, two, all three. */
function filter(at: number) {
  const category = pick(categories, at >> 3) ?? "home";
  const subcategory = pick(subcategoriesOf[category], at >> 5);
  const grade = pick(grades, at >> 4);
  return (
    pick(
      [
        {},
        { category },
        { grade },
        { category, subcategory },
        { category, grade },
        { category, subcategory, grade },
      ],
      at,
    ) ?? {}
  );
}

const makers = categories.flatMap((category) => productWords[category].makers);
const types = [
  "phone",
  "laptop",
  "headphones",
  "trainers",
  "wallet",
  "table",
  "writing desk",
  "kettle",
  "lamp",
  "vase",
];

/** From what a fifth of the names contain to what none does; parts of words, two words, and a model's number. */
const searches: ((at: number) => string)[] = [
  (at) => pick(makers, at) ?? "",
  (at) => pick(productManners, at) ?? "",
  (at) => pick(types, at) ?? "",
  (at) => pick(productModels, at) ?? "",
  (at) => (pick(makers, at * 7) ?? "").slice(0, 3),
  (at) => `${pick(makers, at * 3)} ${pick(productManners, at)}`,
  (at) => `${String.fromCharCode(65 + (at % 26))}${10 + (at % 90)}`,
  (at) => `${String.fromCharCode(65 + (at % 26))}${100 + ((at * 7) % 900)}`,
  (at) => `no such thing ${at}`,
];

async function list({ caller }: Subject, input: object): Promise<void> {
  const { status } = await caller.call("auctions.list", input);
  if (status !== 200) throw new Error(`the list was refused with ${status}`);
}

const questions: Record<string, Ask> = {
  list: (subject, at) => list(subject, { sort: pick(auctionSorts, Math.floor(at / 6)), ...filter(at) }),
  search: (subject, at) => {
    const round = Math.floor(at / searches.length);
    const search = pick(searches, at)?.(round) ?? "";
    return list(subject, { search, sort: pick(auctionSorts, round), ...(round % 3 === 0 && filter(round)) });
  },
  // Each of them once: the second time it would be remembered.
  "product page": async ({ caller, ids }, at) => {
    const response = await caller.request(`/auctions/products/${ids[at]}`, {});
    if (response.status !== 200) throw new Error(`a product was refused with ${response.status}`);
    await response.text();
  },
};

/** Asks both houses in turns, so that a slow moment meets both; returns each one's times in milliseconds. */
async function measure(
  subjects: readonly Subject[],
  ask: Ask,
  number: number,
  before: number,
): Promise<number[][]> {
  const times = subjects.map((): number[] => []);
  for (let at = 0; at < number; at++)
    for (const [place, subject] of subjects.entries()) {
      const took = await time(() => ask(subject, at));
      if (at >= before) times[place]?.push(took);
    }
  return times;
}

/** The marketplace at 1,000 and at 1,000,000 products with ten bids each: how much slower its slow calls become. */
export async function auctionScale(): Promise<Figure[]> {
  const [small, large] = [await open(few), await open(many)];
  try {
    const figures: Figure[] = [];
    for (const [name, ask] of Object.entries(questions)) {
      const [number, before] =
        name === "product page" ? [small.ids.length, warmUp.products] : [warmUp.calls + calls, warmUp.calls];
      const [atFew = 0, atMany = 0] = (await measure([small, large], ask, number, before)).map(p99);
      const value = atMany / atFew;
      const detail = `p99 ${milliseconds(atMany)} at ${many}, ${milliseconds(atFew)} at ${few}`;
      const limit = "at most 1.5";
      figures.push({ name: `auctions ${name}, p99 ratio`, value, limit, holds: value <= 1.5, detail });
    }
    return figures;
  } finally {
    await small.house.stop();
    await large.house.stop();
  }
}
