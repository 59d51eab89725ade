import { eq } from "drizzle-orm";
import { crowdedAddress, fullStore } from "#domain/file-rules.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { refundFailure, requireAllowance } from "./allowance.ts";
import { user } from "./tables.ts";

/** Seconds after which a client should try again while the store has no space. */
const pause = 600;

/** Refuses every upload while the store's disk is nearly full: the database may need the rest. */
export async function requireFreeSpace({
  storage,
  environment,
  log,
}: Pick<Services, "storage" | "environment" | "log">): Promise<void> {
  const free = await storage.freeBytes();
  if (free === null || free >= environment.uploadMinFree) return;
  log.error({ free, floor: environment.uploadMinFree }, "an upload was refused: free space is short");
  throw new Refusal("unavailable", { message: fullStore, retryAfter: pause });
}

/**
 * Saves a file. Accounts without a verified email address share one daily allowance per network address; failed uploads
 * don't count.
 */
export async function withUploadAllowance<Result>(
  { database: { db }, limits }: Pick<Services, "database" | "limits">,
  { userId, address }: Actor,
  bytes: number,
  save: () => Promise<Result>,
): Promise<Result> {
  const [owner] = await db.select({ isVerified: user.emailVerified }).from(user).where(eq(user.id, userId));
  if (owner?.isVerified) return await save();
  const share = await limits.unverifiedUpload(address, bytes);
  return await refundFailure(requireAllowance(share, "resource-exhausted", crowdedAddress), save());
}
