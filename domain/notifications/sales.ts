import { roles } from "../account.ts";
import { because, kind } from "./kind.ts";

const ids = { productId: "always" } as const;

/** Mentions a strike, if there is one. */
const strikeWords = ({ strike }: { strike?: string }): string =>
  strike === undefined ? "" : ` It counts as a strike against you until ${strike}.`;

const faultWords = (fault: string | undefined, hasPromised: boolean): string => {
  if (fault === undefined) return "It's over for both.";
  return hasPromised
    ? `The day that the ${fault} promised is over, and nobody has said that it's done.`
    : `The ${fault} didn't answer in time.`;
};

/** Notifications after the hammer, for all who trade. Wayfare sees no money, so they only say who says what. */
export const sales = {
  saleReported: kind({
    label: "The other one reports a sale",
    roles,
    about: { product: "always", who: "always", claim: "always", until: "always" },
    ids,
    event: "sale.reported",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "a sale", who = "other one", claim = "something is wrong" }) =>
      `The ${who} of ${product} says: ${claim}`,
    details: ({ until }) =>
      `Please answer${until === undefined ? "" : ` by ${until}`}. Without an answer the sale falls through, which counts as a strike against you.`,
    button: "Answer",
  }),
  saleAnswered: kind({
    label: "Your report of a sale is answered",
    roles,
    about: { product: "always", who: "always", answer: "always" },
    ids,
    event: "sale.answered",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "a sale", who = "other one", answer = "something" }) =>
      `The ${who} of ${product} says: ${answer}`,
    button: "See the sale",
  }),
  saleHandedOver: kind({
    label: "A sale is handed over",
    roles,
    about: { product: "always", who: "sometimes" },
    ids,
    event: "sale.handed-over",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "an item", who }) =>
      who === undefined ? `Handed over: ${product}` : `The ${who} says that ${product} was handed over`,
    details: ({ who }) =>
      who === undefined ? "The sale is settled." : "Please say so too, within 7 days, or say what is wrong.",
    button: "See the sale",
  }),
  saleFellThrough: kind({
    label: "A sale fell through",
    roles,
    about: {
      product: "always",
      fault: "sometimes",
      promised: "sometimes",
      strike: "sometimes",
      again: "sometimes",
    },
    ids,
    event: "sale.fell-through",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "an item" }) => `The sale of ${product} fell through`,
    details: ({ fault, promised, again, ...about }) =>
      `${faultWords(fault, promised !== undefined)}${strikeWords(about)}${
        again === undefined ? "" : " You can offer it to the next bidder, or put it up for sale again."
      }`,
    button: "See the sale",
  }),
  saleDecided: kind({
    label: "An administrator decides about a sale",
    roles,
    about: { product: "always", outcome: "always", reason: "always", strike: "sometimes" },
    ids,
    event: "sale.decided",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "a sale", outcome = "decided" }) => `Decision about ${product}: ${outcome}`,
    details: (about) => `An administrator has decided.${because(about)}${strikeWords(about)}`,
    button: "See the sale",
  }),
  saleDisputed: kind({
    label: "A sale is disputed",
    roles: ["admin"],
    about: { product: "always" },
    ids,
    event: "sale.disputed",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "an item" }) => `The sale of ${product} is disputed`,
    details: () => "Buyer and seller say different things.",
    button: "See the disputes",
  }),
  // The email names no amount and only links to My bids, so that forged ones are easier to recognise.
  secondChanceOffered: kind({
    label: "You're offered an item after all",
    roles,
    about: { product: "always" },
    ids,
    event: "sale.second-chance-offered",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "an item" }) => `A second chance to buy ${product}`,
    details: () =>
      "The first sale fell through. You'll find the offer in My bids. Wayfare never asks for money, neither by email nor in any other way.",
    button: "Open My bids",
  }),
  secondChanceAnswered: kind({
    label: "Your offer of a second chance is answered",
    roles,
    about: { product: "always", answer: "always" },
    ids,
    event: "sale.second-chance-answered",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "an item", answer = "answered" }) => `Second chance to buy ${product}: ${answer}`,
    button: "See the item",
  }),
  bidsWithdrawn: kind({
    label: "Bids on an item were withdrawn",
    roles,
    about: {
      product: "always",
      price: "sometimes",
      leads: "sometimes",
      end: "sometimes",
      reason: "sometimes",
    },
    ids,
    event: "auction.bids-withdrawn",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "an item", leads }) =>
      leads === undefined ? `Bids on ${product} were withdrawn` : `You're winning ${product} again`,
    details: ({ price, leads, end, ...about }) =>
      [
        leads === undefined ? "" : "Another bidder's bids were withdrawn.",
        price === undefined ? "No bid counts any more." : `The price is now ${price}.`,
        end === undefined ? "" : `The auction now ends on ${end}.`,
        because(about).trim(),
      ]
        .filter(Boolean)
        .join(" "),
    button: "See the item",
  }),
  ownBidsVoided: kind({
    label: "Your bids were voided",
    roles,
    about: { product: "always", reason: "always" },
    ids,
    event: "auction.own-bids-voided",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "an item" }) => `Your bids on ${product} were voided`,
    details: (about) => `An administrator voided them.${because(about)}`,
    button: "See the item",
  }),
  voidRequested: kind({
    label: "A seller asks to void bids",
    roles: ["admin"],
    about: { product: "always", reason: "always" },
    ids,
    event: "auction.void-requested",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "an item" }) => `The seller of ${product} asks to void bids`,
    details: (about) => because(about).trim(),
    button: "See the requests",
  }),
  voidDeclined: kind({
    label: "Bids that you asked to void stay",
    roles,
    about: { product: "always", reason: "sometimes" },
    ids,
    event: "auction.void-declined",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "an item" }) => `The bids on ${product} stay`,
    details: (about) =>
      about.reason === undefined
        ? "The auction ended before an administrator looked at your request."
        : `An administrator has looked at your request.${because(about)}`,
    button: "See the item",
  }),
  strikeLifted: kind({
    label: "A strike was lifted",
    roles,
    about: { product: "always", reason: "always" },
    ids,
    event: "sale.strike-lifted",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "a sale" }) => `Your strike for ${product} was lifted`,
    details: (about) => `An administrator lifted it.${because(about)}`,
    button: "See the sale",
  }),
};
