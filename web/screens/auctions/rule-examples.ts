/** One line of a worked example: an act, and the price after it with the leader or the end. */
export type Step = { act: string; price: string; result: string };

/** Shows the effect of limits on the price and the leader. */
export const limits: readonly Step[] = [
  {
    act: "The starting bid is R150.00. Thandi asks us to bid for her up to R500.00.",
    price: "R150.00",
    result: "Thandi",
  },
  { act: "Sipho bids R200.00. We answer for Thandi, R1 above him.", price: "R201.00", result: "Thandi" },
  {
    act: "Sipho asks us to bid for him up to R500.00. A tie stays with whoever leads.",
    price: "R500.00",
    result: "Thandi",
  },
  {
    act: "Sipho bids R600.00. Thandi's limit is used up, so everyone now sees that it was R500.00.",
    price: "R600.00",
    result: "Sipho",
  },
  { act: "Sipho asks us to bid for him up to R900.00. Only he knows.", price: "R600.00", result: "Sipho" },
];

/** Shows the effect of late bids on the price and the end. */
export const endings: readonly Step[] = [
  {
    act: "The auction ends at 20:00:00. Sipho asked us to bid for him up to R500.00.",
    price: "R150.00",
    result: "20:00:00",
  },
  {
    act: "Thandi bids R200.00 at 19:59:10 and is outbid at once by Sipho's limit.",
    price: "R201.00",
    result: "20:01:10",
  },
  {
    act: "Sipho, who leads, raises his own bid to R250.00 at 20:00:50.",
    price: "R250.00",
    result: "20:01:10",
  },
  {
    act: "Thandi bids R300.00 at 20:01:00 and is outbid at once again.",
    price: "R301.00",
    result: "20:03:00",
  },
  { act: "However often that happens, it is over at 21:00:00.", price: "", result: "" },
];
