import { readFile } from "node:fs/promises";
import { categories, grades } from "#domain/auction.ts";
import { auctionSorts } from "#domain/auction-list.ts";
import type { Caller } from "#tests/support/caller.ts";
import { fillAuctions } from "./auction-data.ts";
import { ordinarySearch } from "./auction-scale.ts";
import { type Fixture, openFixture } from "./fixture.ts";
import { callAs } from "./manage-students.ts";
import { type Figure, median, milliseconds, p95, time } from "./measure.ts";

const products = 200_000;
const hostileTexts = 500;
const ordinary = 500;
const concurrency = 32;
const rounds = 12;

/** Makes every search from another address, below the limits: only the cost of a search counts here. */
let host = 0;
const elsewhere = () => `10.${(++host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;
const pick = <Each>(list: readonly Each[], at: number): Each | undefined => list[at % list.length];
const letters = "s t u v p b l m c a d e g k n o r w h f".split(" ");
/** Parts that very many names have. */
const common = [
  "phone",
  "sam",
  "top",
  "ing",
  "ble",
  "set",
  "ers",
  "pro",
  "table",
  "wood",
  "lamp",
  "mini",
  "ple",
  "100",
];

/** Joins several words of a list, from a place that differs each time. */
const some = (list: readonly string[], number: number, at: number) =>
  Array.from({ length: number }, (_, nth) => pick(list, at * 7 + nth * (1 + (at % 3)))).join(" ");

/** Single letters and many; common parts that no name combines; prefixes of one word; texts that no index has. */
const hostile: ((at: number) => string)[] = [
  (at) => some(letters, 1, at),
  (at) => some(letters, 4, at),
  (at) => some(letters, 38, at),
  (at) => `${some(letters, 2, at)} ${some(common, 1, at)}`,
  (at) => `${some(letters, 8, at)} ${some(common, 2, at)}`,
  (at) => some(common, 2, at),
  (at) => some(common, 3, at),
  (at) => some(common, 5, at),
  (at) => some(common, 14, at),
  (at) => `s sa sam sams samsu samsun samsung zz${at}`,
  (at) => `${some(letters, 3, at)} zzz${at}`,
  (at) => "% _ - %% __ -- % , . /".slice(at % 12),
  (at) => `${at % 10} ${at % 7} 1${at % 10} 2`,
  (at) => `${"\u00e9".repeat(1 + (at % 3))} \u{1f600} \u0130`,
];

/** Returns the input of a search; `turn` is the number of earlier texts of its kind. */
function searchInput(at: number): object {
  const turn = Math.floor(at / hostile.length);
  const facets = [{}, { category: pick(categories, turn) }, { grade: pick(grades, turn) }];
  return {
    search: (pick(hostile, at)?.(turn) ?? "").slice(0, 80),
    sort: pick(auctionSorts, turn),
    ...pick(facets, at >> 2),
  };
}

async function search(caller: Caller, input: object, address = elsewhere()): Promise<void> {
  const { status } = await caller.call("auctions.list", input, { address });
  if (status !== 200) throw new Error(`a search was refused with ${status}: ${JSON.stringify(input)}`);
}

/** Sends each text twice and counts the faster time, so that a slow moment of the machine doesn't count. */
async function worst(caller: Caller): Promise<{ took: number; input: object }> {
  let slowest = { took: 0, input: {} };
  for (let at = 0; at < hostileTexts; at++) {
    const input = searchInput(at);
    const took = Math.min(await time(() => search(caller, input)), await time(() => search(caller, input)));
    if (took > slowest.took) slowest = { took, input };
  }
  return slowest;
}

async function cost(caller: Caller): Promise<Figure> {
  const times: number[] = [];
  for (let at = 0; at < ordinary; at++) times.push(await time(() => search(caller, ordinarySearch(at))));
  const usual = median(times);
  const { took, input } = await worst(caller);
  const value = took / usual;
  const detail = `${milliseconds(took)} for ${JSON.stringify(input)}, usually ${milliseconds(usual)}`;
  return { name: "worst search ÷ usual one", value, limit: "at most 20", holds: value <= 20, detail };
}

/** Times other people's calls meanwhile, one after the other, in milliseconds. */
async function others(visitor: Caller, agent: Caller, until: () => boolean): Promise<number[]> {
  const calls = [
    () => agent.call("account.me"),
    () => agent.call("notifications.unread"),
    (at: number) => search(visitor, ordinarySearch(at)),
    () => agent.call("students.list"),
  ];
  const times: number[] = [];
  for (let at = 0; !until(); at++) times.push(await time(async () => await pick(calls, at)?.(at)));
  return times;
}

async function othersSlowness(visitor: Caller, agent: Caller): Promise<Figure> {
  const minCalls = 400;
  let count = 0;
  const quiet = await others(visitor, agent, () => count++ >= minCalls);
  let round = rounds;
  const flood = async () => {
    for (; round > 0; round--) {
      // One address per round: the limit per address would end the flood too soon to be measured.
      const address = elsewhere();
      const texts = Array.from({ length: concurrency }, (_, nth) => searchInput(round * concurrency + nth));
      await Promise.all(texts.map((input) => search(visitor, input, address)));
    }
  };
  const [busy] = await Promise.all([others(visitor, agent, () => round === 0), flood()]);
  const value = p95(busy) / p95(quiet);
  const detail = `p95 ${milliseconds(p95(busy))} of ${busy.length} beside ${concurrency} searches at once, ${milliseconds(p95(quiet))} without`;
  return { name: "others' p95 beside searches", value, limit: "at most 3", holds: value <= 3, detail };
}

/** Returns the private bytes of PostgreSQL's largest connection: idle ones come and go. */
async function memory({ services }: Fixture): Promise<number> {
  const { rows } = await services.database.pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type = 'client backend'",
  );
  const sizes = rows.map(async ({ pid }) => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  });
  return Math.max(...(await Promise.all(sizes)));
}

async function growth(fixture: Fixture, caller: Caller): Promise<Figure> {
  const ask = async (from: number, number: number) => {
    for (let at = from; at < from + number; at++) await search(caller, searchInput(at));
  };
  // A connection reaches its size with the second thousand.
  await ask(0, 2_000);
  const before = await memory(fixture);
  await ask(2_000, 3_000);
  const after = await memory(fixture);
  const value = after / before;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const detail = `${megabytes(before)}, after 3000 more searches ${megabytes(after)}`;
  return { name: "PostgreSQL's memory", value, limit: "at most 1.1", holds: value <= 1.1, detail };
}

/** Measures what a visitor with the most expensive searches costs others, with 200,000 products on sale. */
export async function hostileSearches(): Promise<Figure[]> {
  const fixture = await openFixture();
  try {
    await fillAuctions(fixture.owner, products);
    const { caller: agent } = await callAs(fixture);
    const visitor = fixture.caller();
    for (let at = 0; at < 200; at++) await search(visitor, ordinarySearch(at));
    return [await cost(visitor), await othersSlowness(visitor, agent), await growth(fixture, visitor)];
  } finally {
    await fixture.stop();
  }
}
