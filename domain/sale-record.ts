/** How a seller's or buyer's sales went: `of` counts those that ended, except where the other one was at fault. */
export type SaleRecord = { handedOver: number; of: number; medianDays: number | null };

/** Sales from which on a record says something. */
export const recordFrom = 3;

/** Returns a record in words, facts instead of stars; null while there are too few sales. */
export function recordText({ handedOver, of, medianDays }: SaleRecord): string | null {
  if (of < recordFrom) return null;
  const share = `Handed over ${handedOver} of ${of}`;
  if (medianDays === null) return share;
  if (medianDays < 1) return `${share}, median under a day`;
  const days = Math.round(medianDays);
  return `${share}, median ${days} ${days === 1 ? "day" : "days"}`;
}
