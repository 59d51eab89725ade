/** A price in cents, and the time from which it applies, in milliseconds since 1970. */
export type PricePoint = { amount: number; at: number };

/** The size of the curve's own coordinates. */
export const curveSize = { width: 600, height: 160 } as const;
/** Share of the width over which the last price continues, so that it is visible. */
const runOut = 0.05;

const rounded = (value: number) => Math.round(value * 10) / 10;

/**
 * Returns the path of a price over time, oldest point first: a level line from each bid to the next, and a step at it.
 * The lowest price lies on the bottom edge and the highest on the top one; one price alone runs through the middle.
 */
export function curvePath(points: readonly PricePoint[]): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return "";
  const { width, height } = curveSize;
  const [time, rise] = [last.at - first.at, last.amount - first.amount];
  const x = ({ at }: PricePoint) => (time === 0 ? 0 : ((at - first.at) / time) * width * (1 - runOut));
  const y = ({ amount }: PricePoint) =>
    rise === 0 ? height / 2 : height * (1 - (amount - first.amount) / rise);
  const steps = points.slice(1).map((point) => `H${rounded(x(point))}V${rounded(y(point))}`);
  return `M0 ${rounded(y(first))}${steps.join("")}H${width}`;
}
