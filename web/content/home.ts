export const headline = "Your degree abroad, one clear step at a time.";
export const opening =
  "Wayfare connects you with agents who know the universities, the paperwork and the deadlines, in the UK, Canada, the USA, Ireland and the United Arab Emirates.";
/** The teaser for the auctions, which are open to everyone. */
export const auctions = {
  title: "Settling in? Buy and sell on the way",
  lead: "Members auction phones, furniture and more to each other. Watch what you like, and bid live until time runs out.",
};
