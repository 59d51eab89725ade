import { randomUUID } from "node:crypto";
import { and, count, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { ItemDraft } from "#contract/selling.ts";
import { auctionTexts } from "#domain/auction.ts";
import { type DraftForm, draftLimits, draftTexts, isEmptyDraft, readDraft } from "#domain/item-draft.ts";
import { mayTrade } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import type { Origin } from "../catalogue/create-product.ts";
import { auctionPicture } from "../tables.ts";
import { auctionDraft, auctionListedRow } from "./tables.ts";

const notFound = () => new Refusal("not-found", { message: "This draft is gone." });

/**
 * Returns those of an owner's pictures that are in no product yet, in their order. Restarts the day for which they are
 * kept, because the nightly deletion of unused pictures may not see the draft yet.
 */
async function renewUnused(tx: Transaction, ownerId: string, images: readonly string[]): Promise<string[]> {
  if (images.length === 0) return [];
  const rows = await tx
    .update(auctionPicture)
    .set({ createdAt: sql`now()` })
    .where(
      and(
        inArray(auctionPicture.id, [...images]),
        eq(auctionPicture.ownerId, ownerId),
        isNull(auctionPicture.productId),
      ),
    )
    .returning({ id: auctionPicture.id });
  const unused = new Set(rows.map(({ id }) => id));
  return [...new Set(images)].filter((id) => unused.has(id));
}

type DraftChanges = { draftId?: string | undefined; form: Partial<DraftForm>; images: readonly string[] };

/** Saves a form, however incomplete, with its pictures. Resolves to the draft's id. */
export const saveDraft = (
  { database }: Services,
  actor: Actor,
  { draftId, form: input, images }: DraftChanges,
): Promise<string> =>
  database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    const form = readDraft(input);
    if (isEmptyDraft(form, images.length))
      throw new Refusal("form/incomplete", { message: draftTexts.empty });
    const pictures = await renewUnused(tx, actor.userId, images);
    if (pictures.length !== images.length)
      throw new Refusal("form/incomplete", { message: auctionTexts.picturesGone, field: "images" });
    if (draftId === undefined) return await addDraft(tx, actor.userId, { form, pictures });
    const rows = await tx
      .update(auctionDraft)
      .set({ form, pictures, changedAt: new Date() })
      .where(and(eq(auctionDraft.id, draftId), eq(auctionDraft.ownerId, actor.userId)))
      .returning({ id: auctionDraft.id });
    if (rows.length === 0) throw notFound();
    return draftId;
  });

type NewDraft = Pick<typeof auctionDraft.$inferInsert, "form" | "pictures" | "copiedFrom">;

/** Adds a draft. The caller has locked the owner's account, so that drafts are counted one by one. */
export async function addDraft(tx: Transaction, ownerId: string, draft: NewDraft): Promise<string> {
  const [own] = await tx
    .select({ drafts: count() })
    .from(auctionDraft)
    .where(eq(auctionDraft.ownerId, ownerId));
  if ((own?.drafts ?? 0) >= draftLimits.drafts)
    throw new Refusal("failed-precondition", { message: draftTexts.tooMany });
  const id = randomUUID();
  await tx.insert(auctionDraft).values({ id, ownerId, ...draft });
  return id;
}

/** Deletes a draft. The nightly tidy-up deletes its pictures. */
export const dropDraft = ({ database }: Services, actor: Actor, draftId: string): Promise<void> =>
  database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    await consumeDraft(tx, actor.userId, draftId);
  });

/** Deletes the draft that becomes a product, and returns the data that the product keeps. */
export async function consumeDraft(tx: Transaction, ownerId: string, draftId: string): Promise<Origin> {
  const [draft] = await tx
    .delete(auctionDraft)
    .where(and(eq(auctionDraft.id, draftId), eq(auctionDraft.ownerId, ownerId)))
    .returning({ copiedFrom: auctionDraft.copiedFrom });
  if (!draft) throw notFound();
  return draft;
}

type StoredDraft = typeof auctionDraft.$inferSelect;

/** Returns drafts as their owner sees them, with those pictures that still exist. */
async function itemDrafts(db: Reader, drafts: readonly StoredDraft[]): Promise<ItemDraft[]> {
  const ids = drafts.flatMap(({ pictures }) => pictures);
  const { id, width, height } = auctionPicture;
  const rows =
    ids.length === 0
      ? []
      : await db.select({ id, width, height }).from(auctionPicture).where(inArray(id, ids));
  const pictures = new Map(rows.map((row) => [row.id, row]));
  return drafts.map((draft) => ({
    id: draft.id,
    form: readDraft(draft.form),
    pictures: draft.pictures.flatMap((each) => pictures.get(each) ?? []),
    changedAt: draft.changedAt,
    isCopy: draft.copiedFrom !== null,
  }));
}

/** Lists an owner's drafts, the latest first; there are few. */
export async function listDrafts(db: Reader, ownerId: string): Promise<ItemDraft[]> {
  const rows = await db
    .select()
    .from(auctionDraft)
    .where(eq(auctionDraft.ownerId, ownerId))
    .orderBy(desc(auctionDraft.changedAt), desc(auctionDraft.id));
  return await itemDrafts(db, rows);
}

export async function readOwnDraft(db: Reader, ownerId: string, draftId: string): Promise<ItemDraft> {
  const rows = await db
    .select()
    .from(auctionDraft)
    .where(and(eq(auctionDraft.id, draftId), eq(auctionDraft.ownerId, ownerId)));
  const [draft] = await itemDrafts(db, rows);
  if (!draft) throw notFound();
  return draft;
}

const day = 24 * 3_600_000;

/** Deletes drafts that haven't changed for 90 days, and the records of CSV rows listed as long ago. */
export async function tidyDrafts({ database }: Pick<Services, "database">, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - draftLimits.days * day);
  await database.db.delete(auctionDraft).where(lt(auctionDraft.changedAt, before));
  await database.db.delete(auctionListedRow).where(lt(auctionListedRow.at, before));
}
