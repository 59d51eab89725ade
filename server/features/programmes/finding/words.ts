import type pg from "pg";
import { corrected, searchQuery, type Vocabulary, withoutBeginning } from "#server/platform/search-query.ts";

/** The words of titles and institutions; one counts while it finds a programme. */
const programmeWords: Vocabulary = {
  words: "programme_word",
  isFound: "exists (select from programme where removed_at is null and search @@ $word)",
};

/** The answer to a search; `corrected` is the corrected search, null when it was run as typed. */
export type Searched<Answer> = { answer: Answer; corrected: string | null };

/**
 * Runs a search for words. If nothing is found, tries without a last word that is still being typed, and then corrects
 * the spelling. Lists and counts go the same way, so that they speak of the same programmes.
 */
export async function searchFor<Answer>(
  pool: pg.Pool,
  words: readonly string[],
  isEmpty: (answer: Answer) => boolean,
  find: (query: string) => Promise<Answer>,
): Promise<Searched<Answer>> {
  const answer = await find(searchQuery(words));
  if (!isEmpty(answer)) return { answer, corrected: null };
  const shorter = withoutBeginning(words);
  if (shorter !== null) return { answer: await find(shorter), corrected: null };
  const meant = await corrected(pool, programmeWords, words);
  if (meant === null) return { answer, corrected: null };
  const instead = await find(searchQuery(meant));
  return isEmpty(instead) ? { answer, corrected: null } : { answer: instead, corrected: meant.join(" ") };
}
