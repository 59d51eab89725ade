import { randomFrom } from "#domain/seeded-random.ts";

/** Random choices that are the same for the same seed. */
export class Random {
  /** Returns a number from 0 to below 1. */
  readonly next: () => number;

  constructor(seed: string) {
    let state = 0;
    for (const letter of seed) state = (Math.imul(state, 31) + (letter.codePointAt(0) ?? 0)) | 0;
    this.next = randomFrom(state);
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** Returns a whole number, both ends included. */
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return at(items, this.whole(0, items.length - 1));
  }

  /** Picks this many items, each once, in any order. */
  some<Item>(items: readonly Item[], number: number): Item[] {
    const rest = [...items];
    const picks: Item[] = [];
    while (picks.length < number && rest.length > 0)
      picks.push(...rest.splice(this.whole(0, rest.length - 1), 1));
    return picks;
  }

  /** Picks this many times from `from` to `to`, in order and well apart. */
  times(number: number, from: Date, to: Date): Date[] {
    const length = (to.getTime() - from.getTime()) / number;
    return Array.from(
      { length: number },
      (_, place) => new Date(from.getTime() + (place + this.between(0.1, 0.9)) * length),
    );
  }

  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.whole(0, 15).toString(16));
    digits[12] = "4";
    digits[16] = this.whole(8, 11).toString(16);
    return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
}

/** Returns the item in a place, starting over after the last one. */
export function at<Item>(items: readonly Item[], place: number): Item {
  const [item] = items.slice(place % items.length);
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}
