import { z } from "zod";
import type { Queue } from "#server/platform/jobs.ts";
import type { Services } from "#server/services.ts";
import { newItemQueue } from "../catalogue/new-items.ts";
import { matchItem } from "./match-item.ts";
import { tellOfEnds } from "./tell-of-ends.ts";
import { tellOfHits } from "./tell-of-hits.ts";

/** Runs every minute. Several that run at once share the work. */
const watchingQueue: Queue<null> = { name: "watching", payload: z.null(), timeout: 10 * 60, workers: 1 };

/** Starts matching new items with saved searches, and telling people of what they watch. */
export async function workWatching(services: Services): Promise<void> {
  const { jobs, database } = services;
  await jobs.define(newItemQueue);
  await jobs.work(newItemQueue, ({ productId }) => matchItem(database, productId));
  await jobs.define(watchingQueue);
  await jobs.work(watchingQueue, async () => {
    await tellOfEnds(services);
    await tellOfHits(services);
  });
  await jobs.plan(watchingQueue, "* * * * *");
}
