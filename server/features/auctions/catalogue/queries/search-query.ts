import type { Pool } from "pg";

/** A word as a search asks for it, with what it may be a misspelling of. */
type Term = { word: string; others: readonly string[] };

/** A last word of so many letters may be the beginning of one: people look at what is found while they type. */
const leastOfBeginning = 3;

/** As PostgreSQL's `tsquery`. The words have letters, marks and digits alone, so a quote is enough. */
function tsquery(terms: readonly Term[]): string {
  const written = terms.map(({ word, others }, at) => {
    const isBeginning = at === terms.length - 1 && word.length >= leastOfBeginning;
    const all = [`'${word}'${isBeginning ? ":*" : ""}`, ...others.map((other) => `'${other}'`)];
    return all.length === 1 ? all[0] : `(${all.join(" | ")})`;
  });
  return written.join(" & ");
}

export const searchQuery = (words: readonly string[]): string =>
  tsquery(words.map((word) => ({ word, others: [] })));

/** Without a last word that is still being typed; null when there is none, or nothing else. */
export function withoutBeginning(words: readonly string[]): string | null {
  const last = words.at(-1) ?? "";
  return words.length > 1 && last.length < leastOfBeginning ? searchQuery(words.slice(0, -1)) : null;
}

/** For each word that no name begins with, the three words of names that are most like it. */
const similar = `
  select asked.word, near.word as other
  from unnest($1::text[]) asked(word)
  cross join lateral (select folded(asked.word) as word) plain
  cross join lateral (
    select known.word from auction_word known where known.word % plain.word
    order by similarity(known.word, plain.word) desc, known.word limit 3) near
  where not exists (select from auction_word known where known.word like plain.word || '%')`;

const mayBeMisspelt = (word: string) => /^\p{L}{5,}$/u.test(word);

/** With what misspelt words may have meant; null when they are spelled right, or like nothing. */
export async function correctedQuery(pool: Pool, words: readonly string[]): Promise<string | null> {
  const asked = words.filter(mayBeMisspelt);
  if (asked.length === 0) return null;
  const { rows } = await pool.query<{ word: string; other: string }>(similar, [asked]);
  if (rows.length === 0) return null;
  const othersOf = (word: string) => rows.filter((row) => row.word === word).map(({ other }) => other);
  return tsquery(words.map((word) => ({ word, others: othersOf(word) })));
}
