import { socialLinks } from "./footer.ts";
import { stats } from "./stats.ts";
import { team } from "./team.ts";
import { testimonials } from "./testimonials.ts";

/** `sample`: made up until the consultancy puts its own in its place; a production start warns while one is left. */
export type Sample = { sample?: true };

const files: Record<string, readonly Sample[]> = {
  "footer.ts": socialLinks,
  "stats.ts": stats,
  "team.ts": team,
  "testimonials.ts": testimonials,
};

/** The files of this folder in which a sample is left. */
export const samples = (of = files): string[] =>
  Object.entries(of)
    .filter(([, entries]) => entries.some(({ sample }) => sample))
    .map(([name]) => name);
