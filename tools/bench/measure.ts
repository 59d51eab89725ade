/** One figure, with the limit that it is held to. */
export type Figure = { name: string; value: number; limit: string; holds: boolean; detail: string };

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
};

/** Returns the value that all but the slowest part stay below. */
const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0;
export const p95 = (values: readonly number[]): number => quantile(values, 0.95);
export const p99 = (values: readonly number[]): number => quantile(values, 0.99);

/** Returns the milliseconds that a piece of work takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

type Work = (at: number) => Promise<unknown>;

/** Returns median milliseconds of two works done in turn, in either order, so that a slow moment affects both. */
export async function pair(times: number, one: Work, other: Work): Promise<readonly [number, number]> {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let at = 0; at < times; at++) {
    const turns = [
      async () => ones.push(await time(() => one(at))),
      async () => others.push(await time(() => other(at))),
    ];
    for (const turn of at % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  return [median(ones), median(others)];
}

export const milliseconds = (value: number) => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
