import { type Cents, formatMoney } from "#domain/money.ts";
import type { LegalText } from "./legal.ts";

/**
 * The terms describe the rules that this software enforces. Change them together with the code, raise `termsVersion` in
 * domain/account.ts, and add what the law of your country asks for.
 */
export const terms = (unverifiedBidLimit: Cents): LegalText => ({
  lead: "The rules for using Wayfare. They're short, and they describe what the software does.",
  updated: "22 November 2026",
  chapters: [
    {
      title: "Accounts",
      paragraphs: [
        "You may open an account as a student or as an agent. Say who you really are, keep your password to yourself, and use one account. Agents can use the agent area only after an administrator has approved their account.",
        "We may disable an account, or deny or revoke an agent's access, when these rules are broken or someone needs protecting. If this affects you, you'll see it at your next login and can write to us.",
      ],
    },
    {
      title: "Guidance",
      paragraphs: [
        "Agents advise and help with applications. Whether a university offers you a place, or a country a visa, the decision is theirs; we can't guarantee it. Check what an application says in your name before it goes out.",
      ],
    },
    {
      title: "What you upload",
      paragraphs: [
        "What you upload stays yours. You allow us to store it and to show it to the people named on the Privacy page. Upload only what is true and what you're allowed to share, and nothing illegal.",
      ],
    },
    {
      title: "Selling",
      paragraphs: ["Anyone with an account may put an item up for auction."],
      list: [
        "You own what you sell, and it is as you describe and show it: the grade means what the grading guide says.",
        "An auction lasts from ten minutes to 90 days.",
        "You can't bid on your own item.",
        "You can take an item off sale, but not in its last twelve hours if it has bids, and not once it's sold. Administrators may remove any item and say why.",
      ],
    },
    {
      title: "Bidding",
      paragraphs: [
        "A bid is binding, and it stands if you delete your account. The auction rules say when one can be withdrawn.",
      ],
      list: [
        "The first bid is at least the starting bid; each one after it at least R1.00 above the highest.",
        `Until your email address is verified, you can bid up to ${formatMoney(unverifiedBidLimit)}.`,
        "What counts is when our server receives a bid, not the clock on your device. No bid is accepted after the end.",
        "The winner is the highest bidder at the close whose account we haven't disabled or revoked.",
        "When an item is withdrawn or removed, nobody has won it, and its bidders are notified.",
      ],
    },
    {
      title: "After the close",
      paragraphs: [
        "The seller and the winner see each other's name, email address and phone number, and arrange payment and delivery between themselves. Wayfare takes no payment, ships nothing and isn't a party to the sale. If the other person doesn't reply, let us know.",
      ],
    },
    {
      title: "Fair use",
      paragraphs: [
        "Don't try to access what isn't yours, don't disturb others, and don't use programs to flood the service. There are limits on attempts, uploads and messages; if you reach one, we'll tell you when you can try again.",
      ],
    },
    {
      title: "Changes",
      paragraphs: [
        "When these terms change, the date above changes with them. The version you agreed to is stored with your account.",
      ],
    },
  ],
});
