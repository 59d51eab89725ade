import { pageWeight } from "#scripts/page-weight.ts";
import type { Figure } from "./measure.ts";

/** Kilobytes (1,000 bytes) of gzip JavaScript and CSS on the first load of a page, against what is promised. */
function firstLoad(page: string, most: number): Figure {
  const { code, files } = pageWeight(page);
  return {
    name: `first load of ${page}, KB`,
    value: code,
    limit: `at most ${most}`,
    holds: code <= most,
    detail: `${files} files`,
  };
}

export const loginFirstLoad = async (): Promise<Figure[]> => [firstLoad("/login", 175)];
export const homeFirstLoad = async (): Promise<Figure[]> => [firstLoad("/", 160)];
