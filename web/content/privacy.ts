import type { LegalText } from "./legal.ts";

/**
 * The privacy policy lists what this software stores, as the code does it today. Change it together with the code,
 * raise `termsVersion` in domain/account.ts, and add what the law of your country asks for: your registered name,
 * address and the like.
 */
export const privacy: LegalText = {
  lead: "What we store about you, for how long, who sees it, and who to ask. There's no advertising and no tracking here, and nothing is loaded from other companies' servers.",
  updated: "22 November 2026",
  chapters: [
    {
      title: "Your account",
      paragraphs: [
        "When you sign up we store your first and last name, your email address, your phone number if you provide one, your role, and for agents the agency and country. We store when you signed up and which version of the Terms you agreed to. Your password is stored only as an argon2id hash, from which nobody can read it. If you turn on an authenticator app, we store its key, encrypted, and hashes of your recovery codes, until you turn it off. Of a passkey we store its public key, how often and when it was last used, and the name you give it, until you remove it. Of an API key we store its name, what it may do, a hash and its first characters, and when it was last used, until you revoke it; answers to your programs are kept for a day, in case they ask twice. Your fingerprint and face never leave your device.",
        "Your account and everything in it are kept until you delete it. There's a button for that under “Your data”. From then on your account is out of use, and seven days later, or once your bids and sales no longer bind you, it's erased, with your files. If you log in before then, it stays. If your consultancy has set a limit for accounts that nobody uses, students without an open application get an email at least two weeks before theirs ends; logging in keeps it.",
      ],
    },
    {
      title: "Your profile",
      paragraphs: [
        "Students and agents may fill in their middle name, date of birth, gender, citizenship, identity number, passport number and its expiry, and address. Only your name and email are required.",
        "A student's middle name, date of birth, gender, citizenship, identity number, passport details and address can be seen by that student, the agent assigned to them and the administrators. The agent and the administrators may also save or print a copy of them, together with the student's documents, applications and shortlist. An agent's details can be seen by that agent alone. Each time someone opens or saves a student's details, the audit log records who and when.",
      ],
    },
    {
      title: "Your documents",
      paragraphs: [
        "Students may upload a transcript, a CV, a statement, two recommendations and a passport. We store the files with their names, when they were uploaded, and what your agent said about them. When you replace a file, the last two earlier versions are kept; a file you remove is deleted.",
        "Files can be opened by the student, the assigned agent and the administrators. A link to a file works for five minutes, and only for the person who asked for it. Each time a file is opened or saved, we record it. We have no control over a copy that someone has saved.",
      ],
    },
    {
      title: "Applications, shortlist and notifications",
      paragraphs: [
        "We store your applications with each of their steps and the notes about it, the programmes on your shortlist, your notifications, which emails you've turned off, the browsers in which you asked to be notified, and for agents and administrators the addresses of their webhooks. All approved agents see the name, email, phone, country and assigned agent of every student, their applications and their shortlist. When an agent is assigned to you, you see the agent's name, agency, email and phone.",
      ],
    },
    {
      title: "Auctions",
      paragraphs: [
        "For an item you sell we store what you wrote about it, its pictures, and how its auction ended. Its page shows your name masked, when you joined and how many items you've sold. We re-encode pictures when you upload them, which removes details such as where they were taken and with which camera. Pictures that aren't used for an item are deleted after a day.",
        "For every bid we store who made it, the amount and the time. Bids are kept for the record, even when an item is taken off sale or you delete your account; by then they only know a random number. Of an item that was sold or bid for, its name and amounts stay, without you, your description and your pictures. Other people only see a bidder's name masked, as in T***a; the seller sees the full name.",
        "When an item is sold, its seller and its winner each see the other's name, email address and phone number, so that they can arrange payment and delivery.",
      ],
    },
    {
      title: "Messages to us",
      paragraphs: [
        "What you write on the Contact page is emailed to our office and kept in our mailbox like any other email. Our server keeps it in its queue of outgoing emails and deletes it a day after sending it, or after seven days if it couldn't be sent.",
      ],
    },
    {
      title: "Cookies and what your browser keeps",
      paragraphs: [
        "We use three cookies, all our own and all necessary. One holds your session, so that you stay logged in: for 30 days, until you log out, or until you haven't been here for 14 days. One holds only your role, so that the menu is right from the start; it lasts as long. The third is a random number that tells us you have logged in with this browser before, so that nobody can lock you out by trying wrong passwords. It stays for a year, even after you log out, and says nothing about you. With a session we keep the name of the browser, such as Chrome on Android, and the network address of the login, so that “Your devices” can show you where you're logged in; both go when the session ends. If we haven't seen you use that browser before, we email you both. Forms you haven't sent are kept in the memory of the open tab and nowhere else.",
      ],
    },
    {
      title: "The audit log and the limits",
      paragraphs: [
        "We record sign-ups, logins and failed logins, changes of passwords and email addresses, administrators' decisions, every time someone opens personal details, and attempts to reach what belongs to others: what was done, by which account, about which account, when, and from which network address. Wayfare itself can only add entries, never change or remove them; only a person who runs the database could, and then a missing or changed entry shows. Entries are kept for at least a year, and indefinitely unless we've set a period.",
        "To stop people from guessing passwords or flooding us, attempts are counted for a few minutes or hours, up to a day. The counters hold no names and no addresses, only hashes of them. Links we email you to verify an address or set a password work for an hour to seven days; expired ones are deleted every night. A link that stops one kind of email never expires: all it can do is switch that kind off.",
      ],
    },
    {
      title: "When an agent's application is denied",
      paragraphs: [
        "The record of the application is deleted. What stays, for good or for as long as your consultancy has set, is the email address, the password hash, and who decided when, so that we can show the decision at the next login and the same address can't apply again. An administrator can lift the denial; then that is deleted as well.",
      ],
    },
    {
      title: "Who else sees your data",
      paragraphs: [
        "Nobody, with four exceptions. Our emails go through the mail server we use. Universities and authorities get what you and your agent send them for your application. And when you search on the Explore page, an external search site opens in a new tab: it learns the course and country you searched for, and what your browser tells every site. And agents and administrators can have a system of their own notified when something happens, such as a step of an application: it's sent the random numbers of those concerned, with no names and no details. We list what was sent for 30 days.",
      ],
    },
    {
      title: "Your rights",
      paragraphs: [
        "Under “Your data” you can download a copy of everything we've stored about you, files included, and delete your account. What's wrong you can correct in your profile, or write to us. Entries of the audit log and accepted bids stay, because others need to be able to rely on them; they know you by a random number, and the audit log by the network addresses you used. Backups that were made before are replaced in time.",
      ],
    },
  ],
};
