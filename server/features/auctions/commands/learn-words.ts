import { sql } from "drizzle-orm";
import type { Kind } from "#domain/auction.ts";
import type { Transaction } from "#server/platform/database.ts";

type Named = Kind & { productName: string };

/** Keeps the words of a product's name, by which a search finds it among its kind. */
export async function learnWords(
  tx: Transaction,
  { productName, category, subcategory }: Named,
): Promise<void> {
  // In order: two transactions with the same new words would otherwise wait for each other.
  await tx.execute(sql`
    insert into auction_vocabulary (word, category, subcategory)
    select word, ${category}, ${subcategory}
    from unnest(string_to_array(lower(${productName}), ' ')) as word order by word
    on conflict do nothing`);
}
