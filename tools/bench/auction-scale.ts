import { categories, grades, subcategoriesOf } from "#domain/auction.ts";
import { auctionSorts } from "#domain/auction-list.ts";
import type { Caller } from "#tests/support/caller.ts";
import { fillAuctions } from "./auction-data.ts";
import { type Fixture, openFixture } from "./fixture.ts";
import { type Figure, median, milliseconds, p99, time } from "./measure.ts";
import { productManners, productModels, productWords } from "./product-names.ts";

const [few, many] = [1_000, 1_000_000];
const calls = 1_000;
/**
 * Calls before the measurement, because a new server is slower: each connection accesses each page of PostgreSQL's
 * memory for the first time.
 */
const warmUp = { calls: 1_500, products: 200 };

/** A number of calls, of which the first ones don't count. */
type Round = { number: number; before: number };
const threeRounds: Round[] = [
  { number: warmUp.calls + calls, before: warmUp.calls },
  { number: calls, before: 0 },
  { number: calls, before: 0 },
];
/** All products of the smaller fixture, once each: a second call would be answered from a cache. */
const oneRound: Round[] = [{ number: few, before: warmUp.products }];

type Subject = { fixture: Fixture; caller: Caller; ids: string[] };
/** Makes one call; rejects when it is refused. `at` counts the calls. */
type Ask = (subject: Subject, at: number) => Promise<void>;

async function open(products: number): Promise<Subject> {
  const fixture = await openFixture();
  const { pool } = fixture.services.database;
  await fillAuctions(fixture.owner, products);
  const { rows } = await pool.query<{ id: string }>("select id from auction_product order by id limit 1000");
  return { fixture, caller: fixture.caller(), ids: rows.map(({ id }) => id) };
}

const pick = <Each>(list: readonly Each[], at: number): Each | undefined => list[at % list.length];

/** Returns every kind of filter in turn: none, one, two, all three. */
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

/**
 * Searches from parts that a fifth of the names contain to texts that none contains; parts of words, two words, and a
 * model's number.
 */
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

/** Returns the search of this turn, in every order and now and then within a filter. */
export function ordinarySearch(at: number): object {
  const round = Math.floor(at / searches.length);
  const search = pick(searches, at)?.(round) ?? "";
  return { search, sort: pick(auctionSorts, round), ...(round % 3 === 0 && filter(round)) };
}

/** Makes every call from another address, below the limit of searches. */
let host = 0;
const elsewhere = () => `10.${(++host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;

async function list({ caller }: Subject, input: object): Promise<void> {
  const { status } = await caller.call("auctions.list", input, { address: elsewhere() });
  if (status !== 200) throw new Error(`the list was refused with ${status}`);
}

const questions: Record<string, Ask> = {
  list: (subject, at) => list(subject, { sort: pick(auctionSorts, Math.floor(at / 6)), ...filter(at) }),
  search: (subject, at) => list(subject, ordinarySearch(at)),
  "product page": async ({ caller, ids }, at) => {
    const response = await caller.request(`/auctions/products/${ids[at]}`, {});
    if (response.status !== 200) throw new Error(`a product was refused with ${response.status}`);
    await response.text();
  },
};

/** Measures both fixtures in turn, so that a slow moment affects both; returns the times of each in milliseconds. */
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

/** Returns the milliseconds that one call in a hundred exceeds, in each round with few and with many products. */
async function slowCalls(subjects: readonly Subject[], ask: Ask, rounds: readonly Round[]) {
  const slow: [number, number][] = [];
  for (const { number, before } of rounds) {
    const [atFew = 0, atMany = 0] = (await measure(subjects, ask, number, before)).map(p99);
    slow.push([atFew, atMany]);
  }
  return slow;
}

/** Measures how much slower slow calls are at 1,000,000 products than at 1,000, with ten bids each. */
export async function auctionScale(): Promise<Figure[]> {
  const [small, large] = [await open(few), await open(many)];
  try {
    const figures: Figure[] = [];
    for (const [name, ask] of Object.entries(questions)) {
      const slow = await slowCalls([small, large], ask, name === "product page" ? oneRound : threeRounds);
      const value = median(slow.map(([atFew, atMany]) => atMany / atFew));
      const pairs = slow.map(([atFew, atMany]) => `${milliseconds(atMany)} and ${milliseconds(atFew)}`);
      const detail = `p99 at ${many} and ${few}: ${pairs.join("; ")}`;
      const most = name === "search" ? 4 : 1.5;
      const limit = `at most ${most}`;
      figures.push({ name: `auctions ${name}, p99 ratio`, value, limit, holds: value <= most, detail });
    }
    return figures;
  } finally {
    await small.fixture.stop();
    await large.fixture.stop();
  }
}
