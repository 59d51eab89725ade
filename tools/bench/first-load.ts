import { pageWeight } from "#tests/support/page-weight.ts";
import type { Fixture } from "./fixture.ts";
import type { Figure } from "./measure.ts";

/** Limits on the first load of a page, in kilobytes (1,000 bytes) of gzipped JavaScript and CSS. */
const promised = { "/login": 175, "/": 160 };

export async function firstLoad(fixture: Fixture): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [page, most] of Object.entries(promised)) {
    const { code, files } = pageWeight(await (await fixture.caller().request(page, {})).text());
    figures.push({
      name: `first load of ${page}, KB`,
      value: code,
      limit: `at most ${most}`,
      holds: code <= most,
      detail: `${files} files`,
    });
  }
  return figures;
}
