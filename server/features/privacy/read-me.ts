import { formatLongMoment } from "#domain/date-format.ts";
import type { OwnFiles } from "./own-data.ts";

const leftOut = [
  "Your password: we store only a hash of it.",
  "Keys and recovery codes of your two-step login and your webhooks: they would be useful to a thief.",
  "Counters and caches: they are gone within a day.",
  'What others did: where somebody else acted, it says "somebody else", and their names and data aren\'t yours to download.',
  "Notes that your agent and our staff write among themselves, unless staffNotes is in the list above: write to us to read them.",
  "Emails that are waiting to be sent: they are deleted once they have been sent.",
];

/** Renders the text in "Download my data" that explains its content and why the rest is left out. */
export function readMe(
  counts: ReadonlyMap<string, number>,
  { files, missing }: OwnFiles,
  contactEmail: string,
  now: Date,
): string {
  const rows = [...counts].map(([subject, number]) => `  ${subject}: ${number}`);
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
    `Downloaded on ${formatLongMoment(now)} UTC`,
    "",
    "WHAT'S IN IT",
    "data.json has everything we store about you, by subject, with the number of entries:",
    ...rows,
    ...(files.length === 0
      ? []
      : [
          `Beside it ${files.length === 1 ? "is 1 file" : `are ${files.length} files`}: your documents with their earlier versions, the letters of your offers, and the pictures of your items.`,
        ]),
    "Times are in UTC; amounts are in cents, deposits in the smallest unit of their currency.",
    ...lost,
    "",
    "WHO ELSE SEES IT",
    "Our Privacy page says who sees what: /privacy. In short: approved agents see a student's name, contact details, applications and shortlist; only the assigned agent and administrators see identity details and documents; bidders and sellers see each other masked until a sale.",
    "",
    "WHAT'S NOT IN IT, AND WHY",
    ...leftOut.map((words) => `- ${words}`),
    "",
    `Is something wrong or missing? Write to ${contactEmail}.`,
    "",
  ].join("\r\n");
}
