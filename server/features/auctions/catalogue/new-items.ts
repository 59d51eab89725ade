import { z } from "zod";
import type { Transaction } from "#server/platform/database.ts";
import type { Jobs, Queue } from "#server/platform/jobs.ts";

const payload = z.object({ productId: z.uuid() });
/** Items that have just come on sale, for jobs that run after the seller has the answer. */
export const newItemQueue: Queue<z.infer<typeof payload>> = { name: "new-item", payload };

/** Announces items that come on sale if and when the transaction commits. */
export const announceItems = (
  jobs: Pick<Jobs, "sendAll">,
  tx: Transaction,
  productIds: readonly string[],
): Promise<void> =>
  jobs.sendAll(
    newItemQueue,
    productIds.map((productId) => ({ payload: { productId } })),
    tx,
  );
