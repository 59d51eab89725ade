import type { LegalText } from "./legal.ts";

/**
 * What this software stores, as the code does it today. Change it together with the code, raise `termsVersion` in
 * domain/account.ts, and add what the law of your country asks for: your registered name, address and the like.
 */
export const privacy: LegalText = {
  lead: "What we store about you, for how long, who sees it, and whom to ask. There is no advertising here, no tracking, and nothing is loaded from other companies’ servers.",
  updated: "21 November 2026",
  chapters: [
    {
      title: "Your account",
      paragraphs: [
        "When you sign up we store your first and last name, your email address, your phone number if you give one, your role, and for agents the agency and country. We store when you signed up and which version of the Terms you agreed to. Your password is stored only as a scrypt hash, from which nobody can read it.",
        "An account and what belongs to it are kept until we are asked to delete them. There is no button for that yet: write to us.",
      ],
    },
    {
      title: "Your profile",
      paragraphs: [
        "Students and agents may fill in their middle name, date of birth, gender, citizenship, identity number, passport number and its expiry, and address. All of it is your choice but your name and email.",
        "A student’s date of birth, address, identity number and passport details are open to that student, to the agent assigned to them and to the administrators. An agent’s are open to that agent and the administrators. Each time these details are opened, an entry in the audit log says who did it and when.",
      ],
    },
    {
      title: "Your documents",
      paragraphs: [
        "Students may upload a transcript, a CV, a statement, two recommendations and a passport. We store the files with their names, when they were uploaded, and what your agent said about them. When you replace a file, the earlier version is kept too.",
        "Files are open to the student, the assigned agent and the administrators. A link to a file works for five minutes, and only for whoever asked for it. Each look is recorded.",
      ],
    },
    {
      title: "Applications, shortlist and notifications",
      paragraphs: [
        "We store your applications with every step they have taken and the notes about it, the programmes on your shortlist, your notifications, and which mails you have switched off. All approved agents see the name, email, phone, country and assigned agent of every student, their applications and their shortlist. When an agent is assigned to you, you see the agent’s name, agency, email and phone.",
      ],
    },
    {
      title: "Auctions",
      paragraphs: [
        "For an item that you sell we store what you wrote about it, its pictures, and what became of it. Pictures are made anew when you upload them: where and with what they were taken is removed. Pictures that are not used for an item are deleted after a day.",
        "For every bid we store who made it, the amount and the time. Bids are kept for the record, also when an item is taken off sale. Other people see a bidder’s name only masked, as in T***a; the seller sees the whole name.",
        "When an item is sold, its seller and its winner each see the other’s name, email address and phone number, so that they can arrange payment and delivery.",
      ],
    },
    {
      title: "Messages to us",
      paragraphs: [
        "What you write on the Contact page is mailed to our office and stored in our mailbox like any other mail. On the server it waits in the queue of outgoing mails, and is deleted a day after it was sent, or after seven days if it could not be.",
      ],
    },
    {
      title: "Cookies and what your browser keeps",
      paragraphs: [
        "There are two cookies, both our own, and both are needed for what they do. One holds your session, so that you stay logged in: for 30 days, or until you log out. The other holds only your role, so that the menu is right at once, for as long. Forms that you have not sent are kept in the memory of the open tab and nowhere else.",
      ],
    },
    {
      title: "The audit log and the limits",
      paragraphs: [
        "Sign-ups, logins and failed logins, changes of passwords and email addresses, decisions of administrators and looks at personal details are recorded: what was done, by which account, about which account, when, and from which network address. Nobody can change or remove an entry, us included, and there is no date at which entries are deleted.",
        "To stop people from guessing passwords or flooding us, attempts are counted for some minutes or hours, up to a day. The counters hold no names and no addresses, only hashes of them. Links that we mail to you work for an hour to seven days; what has run out is deleted every night.",
      ],
    },
    {
      title: "When an agent’s application is denied",
      paragraphs: [
        "The record of the application is deleted. What stays is the email address, the password hash, and who decided when, so that the decision can be told at the next login and the same address can’t apply again. An administrator can lift the denial: then that is deleted as well.",
      ],
    },
    {
      title: "Who else gets to see any of it",
      paragraphs: [
        "Nobody, but for three cases. Our mails are carried by the mail server that we use. Universities and authorities get what you and your agent send them for your application. And when you search on the Explore page, a search site outside of Wayfare opens in a new tab: it learns the course and the country that you searched for, and what your browser tells every site.",
      ],
    },
    {
      title: "Your rights",
      paragraphs: [
        "You may ask what we have stored about you, have it corrected, get a copy, or have it deleted. Entries of the audit log and accepted bids stay, because others have to be able to rely on them.",
      ],
    },
  ],
};
