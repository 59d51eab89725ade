/** Returns the label of a product's price, which is the same on every screen. */
export function priceLabel(state: "open" | "sold" | "over", bidCount: number): string {
  if (state === "sold") return "Sold for";
  if (bidCount === 0) return "Starting bid";
  return state === "open" ? "Price now" : "Highest bid";
}

export const bidsText = (count: number): string => (count === 1 ? "1 bid" : `${count} bids`);
