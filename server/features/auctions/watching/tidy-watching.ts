import { sql } from "drizzle-orm";
import { keptFor } from "#domain/watching.ts";
import type { Services } from "#server/services.ts";

/** Deletes what nobody needs any more: watches of auctions that ended long ago, old hits, and hits of ended auctions. */
export async function tidyWatching({ database: { db } }: Pick<Services, "database">): Promise<void> {
  await db.execute(sql`
    delete from auction_watch using auction_product
    where id = product_id and state <> 'open' and closed_at < now() - make_interval(days => ${keptFor.ended})`);
  await db.execute(
    sql`delete from saved_search_hit where at < now() - make_interval(days => ${keptFor.hits})`,
  );
  await db.execute(sql`
    delete from saved_search_hit using auction_product where id = product_id and state <> 'open'`);
}
