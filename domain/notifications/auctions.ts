import { roles } from "../account.ts";
import { because, kind } from "./kind.ts";

/**
 * Says how buyer and seller reach each other. `day`: until when the other side, who is leaving, can be reached. `kept`:
 * until when the account of a leaving reader is kept.
 */
function contact(other: "buyer" | "seller", { day, kept }: { day?: string; kept?: string }): string {
  const details =
    kept === undefined
      ? `You'll find the ${other}'s contact details on the item page.`
      : `We keep your account until ${kept}, so that the ${other} can reach you by email.`;
  return day === undefined
    ? details
    : `${details} The ${other} is closing their account: please get in touch by ${day}.`;
}

/** Names a higher bid that doesn't count. */
const voidedBid = ({ voided }: { voided?: string }): string =>
  voided === undefined ? "" : ` The bid of ${voided} doesn't count, because we closed that bidder's account.`;

/** Notifications for everyone who trades. */
export const auctions = {
  outbid: kind({
    label: "You've been outbid",
    roles,
    about: { product: "always", price: "always" },
    ids: { productId: "always" },
    event: "auction.outbid",
    mail: "immediate",
    push: { names: ["product"], hours: 4, urgency: "high" },
    reachesLeaving: false,
    title: ({ product = "an item" }) => `You've been outbid on ${product}`,
    details: ({ price }) => (price === undefined ? "" : `The price is now ${price}.`),
    button: "Bid again",
  }),
  watchedEnding: kind({
    label: "Something you watch is about to end",
    roles,
    about: { product: "always" },
    ids: { productId: "always" },
    event: "auction.ending",
    mail: "endings",
    push: { names: ["product"], hours: 1, urgency: "high" },
    reachesLeaving: false,
    title: ({ product = "An item you watch" }) => `Ending soon: ${product}`,
    details: () => "Its auction ends within the hour.",
    button: "See the item",
  }),
  searchHits: kind({
    label: "New items for a saved search",
    roles,
    about: { search: "always", items: "always", newest: "always" },
    ids: { searchId: "always" },
    event: "search.found",
    mail: "savedSearches",
    reachesLeaving: false,
    title: ({ search = "your search", items = "1", newest = "an item" }) =>
      items === "1" ? `New for “${search}”: ${newest}` : `${items} new items for “${search}”`,
    details: ({ items = "1", newest }) =>
      items === "1" || newest === undefined ? "" : `The latest is ${newest}.`,
    button: "See the items",
  }),
  auctionWon: kind({
    label: "You won an auction",
    roles,
    about: { product: "always", price: "always", day: "sometimes", kept: "sometimes" },
    ids: { productId: "always" },
    event: "auction.won",
    mail: "immediate",
    push: { names: ["product"], hours: 72, urgency: "normal" },
    reachesLeaving: true,
    title: ({ product = "an auction" }) => `You won ${product}`,
    details: ({ price = "your bid", ...about }) => `It's yours for ${price}. ${contact("seller", about)}`,
    button: "Contact the seller",
  }),
  auctionLost: kind({
    label: "You didn't win an auction",
    roles,
    about: { product: "always", price: "always" },
    ids: { productId: "always" },
    event: "auction.lost",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "an item" }) => `You didn't win ${product}`,
    details: ({ price = "a higher bid" }) => `It sold to another bidder for ${price}.`,
    button: "See the item",
  }),
  auctionSold: kind({
    label: "Your item has been sold",
    roles,
    about: {
      product: "always",
      price: "always",
      day: "sometimes",
      kept: "sometimes",
      voided: "sometimes",
    },
    ids: { productId: "always" },
    event: "auction.sold",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "Your item" }) => `Sold: ${product}`,
    details: ({ price = "the highest bid", ...about }) =>
      `It sold for ${price}. ${contact("buyer", about)}${voidedBid(about)}`,
    button: "Contact the buyer",
  }),
  auctionUnsold: kind({
    label: "Your auction ended without a sale",
    roles,
    about: { product: "always", voided: "sometimes" },
    ids: { productId: "always" },
    event: "auction.unsold",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "Your item" }) => `Not sold: ${product}`,
    details: (about) => `It ended without a winning bid.${voidedBid(about)}`,
    button: "See the item",
  }),
  descriptionAddedTo: kind({
    label: "A seller adds to a description",
    roles,
    about: { product: "always" },
    ids: { productId: "always" },
    event: "auction.description-added-to",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "an item" }) => `The seller added to the description of ${product}`,
    details: () => "You have bid on it. Please read what is new.",
    button: "See the item",
  }),
  questionAsked: kind({
    label: "A question about your item",
    roles,
    about: { product: "always" },
    ids: { productId: "always", questionId: "always" },
    event: "question.asked",
    mail: "questions",
    reachesLeaving: false,
    title: ({ product = "your item" }) => `A question about ${product}`,
    details: () => "Everyone sees it once you answer.",
    button: "Answer",
  }),
  questionAnswered: kind({
    label: "An answer to your question",
    roles,
    about: { product: "always" },
    ids: { productId: "always", questionId: "always" },
    event: "question.answered",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "an item" }) => `Your question about ${product} was answered`,
    details: () => "Question and answer are on the item's page.",
    button: "See the answer",
  }),
  auctionRemoved: kind({
    label: "An auction was withdrawn",
    roles,
    // Only an admin gives a reason.
    about: { product: "always", reason: "sometimes" },
    ids: { productId: "always" },
    event: "auction.removed",
    mail: "immediate",
    reachesLeaving: true,
    title: ({ product = "An item", reason }) => `${reason ? "Removed" : "Withdrawn"}: ${product}`,
    details: (about) =>
      about.reason
        ? `An administrator took it off sale, so your bid no longer counts.${because(about)}`
        : "It has been withdrawn, so your bid no longer counts.",
    button: "See your bids",
  }),
  ownAuctionRemoved: kind({
    label: "Your item was taken off sale",
    roles,
    about: { product: "always", reason: "always" },
    ids: { productId: "always" },
    event: "auction.own-removed",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ product = "Your item" }) => `Taken off sale: ${product}`,
    details: (about) => `An administrator took it off sale.${because(about)}`,
    button: "See your products",
  }),
};
