/** The results of a seller's or buyer's sales. `of` counts those that ended, unless the other side was at fault. */
export type SaleRecord = { handedOver: number; of: number; medianDays: number | null };

/** Fewest sales of a record that is shown. */
export const recordFrom = 3;

/** Describes a record in words, or returns null while there are too few sales. */
export function recordText({ handedOver, of, medianDays }: SaleRecord): string | null {
  if (of < recordFrom) return null;
  const share = `Handed over ${handedOver} of ${of}`;
  if (medianDays === null) return share;
  if (medianDays < 1) return `${share}, median under a day`;
  const days = Math.round(medianDays);
  return `${share}, median ${days} ${days === 1 ? "day" : "days"}`;
}
