import { socialLinks } from "./footer.ts";
import type { Sample } from "./sample.ts";
import { stats } from "./stats.ts";
import { team } from "./team.ts";
import { testimonials } from "./testimonials.ts";

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
