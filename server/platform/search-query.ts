import type pg from "pg";

/** Letters from which on a last word also matches longer words: people see results while they type. */
const leastOfBeginning = 3;

/** Returns a PostgreSQL `tsquery`. The words have only letters, marks and digits, so quotes are enough. */
function allOf(words: readonly string[]): string {
  const isBeginning = (words.at(-1) ?? "").length >= leastOfBeginning;
  return words.map((word) => `'${word}'`).join(" & ") + (isBeginning ? ":*" : "");
}

const hasLettersOnly = (word: string) => /^[\p{L}\p{M}]+$/u.test(word);

/** Returns every way to join two neighbouring words: "head phones" may be called headphones. */
function joined(words: readonly string[]): string[][] {
  return words.slice(1).flatMap((word, at) => {
    const before = words[at] ?? "";
    if (!hasLettersOnly(before) || !hasLettersOnly(word)) return [];
    return [[...words.slice(0, at), before + word, ...words.slice(at + 2)]];
  });
}

/** Returns a query for each way of reading the words. */
export const searchReadings = (words: readonly string[]): string[] => [words, ...joined(words)].map(allOf);

export const searchQuery = (words: readonly string[]): string => searchReadings(words).join(" | ");

/** Drops a last word that is still being typed; null when there is none, or no other word. */
function withoutBeginning(words: readonly string[]): string | null {
  const last = words.at(-1) ?? "";
  return words.length > 1 && last.length < leastOfBeginning ? searchQuery(words.slice(0, -1)) : null;
}

/**
 * The words that misspelt ones are compared with. `words` is a table of them, with a column `word`; `isFound` is the
 * condition that a search for a word finds something, where `$word` stands for the word as a `tsquery`.
 */
export type Vocabulary = { words: string; isFound: string };

/**
 * For each word that begins no word of the vocabulary, finds the most similar one that has results: one with two
 * letters swapped, else one of the three that share most trigrams.
 */
const mostSimilar = ({ words, isFound }: Vocabulary) => `
  select asked.word, near.word as meant
  from (
    select typed.word, folded(typed.word) as plain from unnest($1::text[]) typed(word)
    where not exists (select from ${words} known where known.word like folded(typed.word) || '%') offset 0) asked
  cross join lateral (
    select array_agg(overlay(asked.plain placing reverse(substr(asked.plain, first, 2)) from first)) as words
    from generate_series(1, length(asked.plain) - 1) first) swapped
  cross join lateral (
    select known.word from (
      select known.word, known.word = any(swapped.words) as is_swapped, similarity(known.word, asked.plain) as likeness
      from ${words} known where known.word % asked.plain or known.word = any(swapped.words)
      order by is_swapped desc, likeness desc, word limit 3) known
    where ${isFound.replace("$word", "to_tsquery('auction_search', quote_literal(known.word))")}
    order by is_swapped desc, likeness desc, word limit 1) near`;

const mayBeMisspelt = (word: string) => /^\p{L}{5,}$/u.test(word);

/** Returns the words that may have been meant; null if all are spelled correctly, or nothing is similar. */
async function corrected(
  pool: pg.Pool,
  vocabulary: Vocabulary,
  words: readonly string[],
): Promise<string[] | null> {
  const misspelt = words.filter(mayBeMisspelt);
  if (misspelt.length === 0) return null;
  const { rows } = await pool.query<{ word: string; meant: string }>(mostSimilar(vocabulary), [misspelt]);
  if (rows.length === 0) return null;
  const meant = new Map(rows.map((row) => [row.word, row.meant]));
  return words.map((word) => meant.get(word) ?? word);
}

/** The answer to a search; `corrected` is the corrected search, null when it was run as typed. */
export type SearchResult<Answer> = { answer: Answer; corrected: string | null };

/**
 * Runs a search for words. If nothing is found, tries without a last word that is still being typed, and then corrects
 * the spelling.
 */
export async function searchFor<Answer>(
  pool: pg.Pool,
  vocabulary: Vocabulary,
  words: readonly string[],
  isEmpty: (answer: Answer) => boolean,
  find: (query: string) => Promise<Answer>,
): Promise<SearchResult<Answer>> {
  const answer = await find(searchQuery(words));
  if (!isEmpty(answer)) return { answer, corrected: null };
  const shorter = withoutBeginning(words);
  if (shorter !== null) return { answer: await find(shorter), corrected: null };
  const meant = await corrected(pool, vocabulary, words);
  if (meant === null) return { answer, corrected: null };
  const instead = await find(searchQuery(meant));
  return isEmpty(instead) ? { answer, corrected: null } : { answer: instead, corrected: meant.join(" ") };
}
