import type { LegalText } from "./legal.ts";

/**
 * The rules that this software enforces, in words. Change them together with the code, raise `termsVersion` in
 * domain/account.ts, and add what the law of your country asks for.
 */
export const terms: LegalText = {
  lead: "The rules for using Wayfare. They are short, and they are what the software does.",
  updated: "21 November 2026",
  chapters: [
    {
      title: "Accounts",
      paragraphs: [
        "You may open an account as a student or as an agent. Say who you really are, keep your password to yourself, and use one account. An agent’s account opens the agent area only after an administrator has approved it.",
        "We may disable an account, and deny or revoke an agent, when these rules are broken or somebody has to be protected. Whoever is affected is told at the next login and may write to us.",
      ],
    },
    {
      title: "Guidance",
      paragraphs: [
        "Agents advise and help with applications. Whether a university offers a place, or a country a visa, is for them to decide: we promise our care, not their answer. Check what an application says in your name before it goes out.",
      ],
    },
    {
      title: "What you upload",
      paragraphs: [
        "What you upload stays yours. You allow us to store it and to show it to those whom the Privacy page names. Upload only what is true, what you may share, and nothing that is against the law.",
      ],
    },
    {
      title: "Selling",
      paragraphs: ["Anyone with an account may put an item up for auction."],
      list: [
        "You own what you sell, and it is as you describe and show it: the grade means what the grading guide says.",
        "An auction lasts from ten minutes to 90 days.",
        "You can’t bid on your own item.",
        "You may take an item off sale, but one with bids not in its last twelve hours, and a sold one not at all. Administrators may remove any item and say why.",
      ],
    },
    {
      title: "Bidding",
      paragraphs: ["A bid is binding. It can’t be taken back."],
      list: [
        "The first bid is at least the starting bid; each one after it at least R1.00 above the highest.",
        "What counts is the time at which the server takes a bid up, not the clock of your device. After the end no bid is taken.",
        "The winner is the highest bidder whose account is in good standing at the close.",
        "When an item is withdrawn or removed, nobody has won it, and its bidders are told.",
      ],
    },
    {
      title: "After the close",
      paragraphs: [
        "The seller and the winner see each other’s name, email address and phone number, and arrange payment and delivery between them. Wayfare takes no payment, ships nothing and is not a party to the sale. If the other side does not answer, tell us.",
      ],
    },
    {
      title: "Fair use",
      paragraphs: [
        "Don’t try to get at what is not yours, don’t disturb others, and don’t use programs to flood the service. There are limits on attempts, uploads and messages; whoever reaches one is told when it ends.",
      ],
    },
    {
      title: "Changes",
      paragraphs: [
        "When these terms change, the date above changes with them. The version that you agreed to is stored with your account.",
      ],
    },
  ],
};
