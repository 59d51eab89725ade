import { sql } from "drizzle-orm";
import type { Transaction } from "#server/platform/database.ts";

/** Keeps the words of a name, which misspelt searches are compared with. */
export async function learnWords(tx: Transaction, productName: string): Promise<void> {
  // In order: two transactions with the same new words would otherwise wait for each other.
  await tx.execute(sql`
    insert into auction_word (word)
    select unnest(tsvector_to_array(to_tsvector('auction_words', search_text(${productName})))) as word order by word
    on conflict do nothing`);
}
