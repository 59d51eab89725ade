import type { OwnFiles } from "./own-data.ts";
import { tablesOfPeople } from "./tables-of-people.ts";

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

const alsoLeftOut = [
  "Other people's data. Where somebody else did something, it says \"somebody else\"; bids of others, what your agent or an administrator sees on their own screens, and messages between members' mailboxes aren't yours to download.",
  "Emails that wait to be sent, with what they say: they leave the server within a day of being sent.",
  "What you wrote on the Contact page: it was emailed to our office, and is kept in our mailbox.",
  "The server's own log: it holds no names, addresses or anything you typed.",
];

/** The page in words that lies in "Download my data": what is in it, and what is not and why. */
export function readMe(
  counts: ReadonlyMap<string, number>,
  { files, missing }: OwnFiles,
  contactEmail: string,
  now: Date,
): string {
  const rows = [...counts].map(([subject, number]) => `  ${subject}: ${number}`);
  const leftOut = [...new Set(tablesOfPeople.flatMap((each) => each.leftOut ?? [])), ...alsoLeftOut];
  const lost =
    missing.length === 0
      ? []
      : [
          "",
          "These files should be here, but couldn't be read. Please write to us:",
          ...missing.map((name) => `  ${name}`),
        ];
  return [
    "Your data at Wayfare",
    `Downloaded on ${moment.format(now)} UTC`,
    "",
    "WHAT'S IN IT",
    "data.json has everything we store about you, by subject, with the number of entries:",
    ...rows,
    `Beside it are ${files.length} files: your documents with their earlier versions, and the pictures of your items.`,
    "Times are in UTC; amounts are in cents.",
    ...lost,
    "",
    "WHO ELSE SEES IT",
    "Your Privacy page says who sees what: /privacy. In short: approved agents see a student's name, contact details, applications and shortlist; only the assigned agent and administrators see identity details and documents; bidders and sellers see each other masked until a sale.",
    "",
    "WHAT'S NOT IN IT, AND WHY",
    ...leftOut.map((words) => `- ${words}`),
    "",
    `Is something wrong or missing? Write to ${contactEmail}.`,
    "",
  ].join("\r\n");
}
