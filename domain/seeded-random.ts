/** Returns a generator of numbers from 0 to below 1, equal for equal seeds (mulberry32). For tests, bench and demo. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a generator of whole numbers from 0 to below a bound, equal for equal seeds. */
export function belowFrom(seed: number): (bound: number) => number {
  const random = randomFrom(seed);
  return (bound) => Math.floor(random() * bound);
}
