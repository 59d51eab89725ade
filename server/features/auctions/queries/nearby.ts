import { stretches } from "../tables.ts";
import type { Order, Place } from "./auction-order.ts";
import { type PriceSpread, priceAfter } from "./price-spread.ts";

/** From one key of an order to another; the stretches that they stand in are looked through. */
export type Nearby = { from: string; to: string };

/** So many days are looked through at most. */
const mostDays = 15;
const day = 86_400_000;

/**
 * What was found among so many at the beginning of an order, of which so many are wanted. `from`: the key where the order
 * goes on after a page; null at its very beginning.
 */
type Begun = { found: readonly Place[]; among: number; wanted: number; from: string | null };

/** Generously: when fewer are found than it takes, it was in vain. */
const generous = ({ found, wanted }: Begun) => wanted * (1.5 + 3 / found.length);

/** The first page begins about now, whether what ends soonest is asked for or what is newest. */
function nearbyTimes(begun: Begun, first: string, last: string): Nearby | null {
  const start = begun.from === null ? Date.now() : Date.parse(begun.from);
  const reach = ((Date.parse(last) - start) / begun.found.length) * generous(begun);
  return Math.abs(reach) > mostDays * day ? null : { from: first, to: new Date(start + reach).toISOString() };
}

/** Prices are not spread evenly: at both ends there are few. */
function nearbyPrices(begun: Begun, from: string, direction: Order["direction"], spread: PriceSpread) {
  const count = (generous(begun) * begun.among) / begun.found.length;
  const to = priceAfter(spread, Number(from), count, direction);
  return to === null ? null : { from, to: String(to) };
}

/**
 * How far an order has to be looked through for what is wanted, judged by what its beginning had. Null when that can't
 * be told, or is very far.
 */
export function nearbyFor({ type, direction }: Order, begun: Begun, spread: PriceSpread): Nearby | null {
  const [first, last] = [begun.found[0], begun.found.at(-1)];
  if (!first || !last) return null;
  return type === "bigint"
    ? nearbyPrices(begun, first.key, direction, spread)
    : nearbyTimes(begun, first.key, last.key);
}

/** The marks of the stretches nearby, as a search's index has them. */
export function nearbyMarks({ key, type }: Order, { from, to }: Nearby, put: (value: unknown) => string) {
  const { mark, of } = stretches[key];
  const [a, b] = [from, to].map((each) => of(`${put(each)}::${type}`));
  return `array(select '${mark}' || n::text from generate_series(least(${a}, ${b}), greatest(${a}, ${b})) n)`;
}
