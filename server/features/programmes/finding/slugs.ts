import { LRUCache } from "lru-cache";
import { programmesInSitemap } from "#protocol/page-sizes.ts";
import type { Reads } from "#server/platform/reads.ts";

/** Milliseconds for which the list for search engines is cached. */
const keptFor = 10 * 60_000;

/** Lists the slugs of the programmes that were checked last, for search engines. The list may be ten minutes old. */
export function createProgrammeSlugs(reads: Reads) {
  const lists = new LRUCache<"programmes", string[]>({
    max: 1,
    ttl: keptFor,
    fetchMethod: async () => {
      const { rows } = await reads.run(({ pool }) =>
        pool.query<{ slug: string }>({
          name: "programme_slugs",
          text: `select slug from programme where removed_at is null and not sample
            order by checked_on desc, id desc limit $1`,
          values: [programmesInSitemap],
        }),
      );
      return rows.map(({ slug }) => slug);
    },
  });
  return (): Promise<string[]> => lists.forceFetch("programmes");
}
