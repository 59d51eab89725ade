import { auctionsCounted } from "#domain/auction-list.ts";
import type { Database } from "#server/platform/database.ts";
import type { Facets } from "./list-order.ts";
import { countInOrder } from "./list-statements.ts";

/** How many open auctions there are of these kinds and grades, counted up to one more than `auctionsCounted`. */
export async function countProducts(
  { pool }: Pick<Database, "pool">,
  facets: Facets | null,
): Promise<number> {
  // One more than is shown tells whether there are more.
  const { rows } = await pool.query<{ count: number }>(countInOrder(facets, auctionsCounted + 1));
  return rows[0]?.count ?? 0;
}
