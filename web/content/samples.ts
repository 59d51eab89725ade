import { socialLinks } from "./footer.ts";
import { stats } from "./stats.ts";
import { team } from "./team.ts";
import { testimonials } from "./testimonials.ts";

/** `sample` marks invented content until the consultancy replaces it; a production start warns while any is left. */
export type Sample = { sample?: true };

const files: Record<string, readonly Sample[]> = {
  "footer.ts": socialLinks,
  "stats.ts": stats,
  "team.ts": team,
  "testimonials.ts": testimonials,
};

/** Returns the files of this folder that still contain a sample. */
export const samples = (contents = files): string[] =>
  Object.entries(contents)
    .filter(([, entries]) => entries.some(({ sample }) => sample))
    .map(([name]) => name);
