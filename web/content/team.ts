import type { Sample } from "./samples.ts";

/** `photo`: a file of `portraits/`, square, at least 320 pixels wide. */
export type TeamMember = Sample & { name: string; position: string; photo: string; line: string };

export const team: readonly TeamMember[] = [
  {
    name: "Amara Okafor",
    position: "Founder and director",
    photo: "amara.svg",
    line: "Studied in Leeds, came back to make the journey shorter for others.",
    sample: true,
  },
  {
    name: "Daniel Reyes",
    position: "Head of admissions",
    photo: "daniel.svg",
    line: "Reads entry requirements the way others read novels.",
    sample: true,
  },
  {
    name: "Mei Chen",
    position: "University partnerships",
    photo: "mei.svg",
    line: "Knows who to call when a portal says no.",
    sample: true,
  },
  {
    name: "Tomas Novak",
    position: "Scholarships and funding",
    photo: "tomas.svg",
    line: "Adds up the whole year before you sign for it.",
    sample: true,
  },
  {
    name: "Leila Haddad",
    position: "Visa adviser",
    photo: "leila.svg",
    line: "Has the checklist, and the checklist for the checklist.",
    sample: true,
  },
  {
    name: "Kwame Asante",
    position: "Student support",
    photo: "kwame.svg",
    line: "Still there after you've landed.",
    sample: true,
  },
];
