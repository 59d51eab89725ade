import { sql } from "drizzle-orm";
import { z } from "zod";
import { keptFor } from "#domain/watching.ts";
import type { Queue } from "#server/platform/jobs.ts";
import type { Services } from "#server/services.ts";
import { newItemQueue } from "../catalogue/new-items.ts";
import { matchItem } from "./match-item.ts";
import { notifyOfEnds } from "./notify-of-ends.ts";
import { notifyOfHits } from "./notify-of-hits.ts";

/** Runs every minute. Concurrent runs share the work. */
const watchingQueue: Queue<null> = { name: "watching", payload: z.null(), timeout: 10 * 60, workers: 1 };

/** Starts matching new items with saved searches, and notifying people of watched items and hits. */
export async function startWatchingJobs(services: Services): Promise<void> {
  const { jobs, database } = services;
  await jobs.define(newItemQueue);
  await jobs.work(newItemQueue, ({ productId }) => matchItem(database, productId));
  await jobs.define(watchingQueue);
  await jobs.work(watchingQueue, async () => {
    await notifyOfEnds(services);
    await notifyOfHits(services);
  });
  await jobs.plan(watchingQueue, "* * * * *");
}

/** Deletes watches of auctions that ended long ago, old hits, and hits of ended auctions. */
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
