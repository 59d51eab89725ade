import { lt } from "drizzle-orm";
import { draftLimits } from "#domain/item-draft.ts";
import type { Services } from "#server/services.ts";
import { auctionDraft, auctionListedRow } from "./tables.ts";

const day = 24 * 3_600_000;

/** Deletes drafts that nobody has touched for 90 days, and what is remembered of CSV rows for as long. */
export async function tidyDrafts({ database }: Pick<Services, "database">, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - draftLimits.days * day);
  await database.db.delete(auctionDraft).where(lt(auctionDraft.changedAt, before));
  await database.db.delete(auctionListedRow).where(lt(auctionListedRow.at, before));
}
