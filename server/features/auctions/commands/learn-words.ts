import { sql } from "drizzle-orm";
import type { Transaction } from "#server/platform/database.ts";

/** Keeps the words of a product's name, by which a search finds it. */
export async function learnWords(tx: Transaction, productName: string): Promise<void> {
  // In order: two transactions with the same new words would otherwise wait for each other.
  await tx.execute(sql`
    insert into auction_vocabulary (word)
    select word from unnest(string_to_array(lower(${productName}), ' ')) as word order by word
    on conflict do nothing`);
}
