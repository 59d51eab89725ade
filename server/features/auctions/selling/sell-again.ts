import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, sum } from "drizzle-orm";
import { auctionTexts } from "#domain/auction.ts";
import { readDraft } from "#domain/item-draft.ts";
import { amountInput } from "#domain/money.ts";
import { mayTrade } from "#domain/permission.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { requireFreeSpace, withUploadAllowance } from "#server/features/account/upload-share.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { storedFile } from "#server/features/files/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { isDatabaseFailure } from "#server/platform/error-code.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { folderOf, keyOf, pictureFiles } from "../pictures/picture-files.ts";
import { auctionPicture, auctionProduct } from "../tables.ts";
import { addDraft } from "./drafts.ts";

/** A picture's copy: the former id, and the new one. */
type Copy = { from: string; id: string; width: number; height: number };

/**
 * Copies an ended product's texts and pictures into a draft of its seller (docs/product.md, "Selling again"). Bids,
 * questions and additions aren't copied. Resolves to the draft's id.
 */
export async function sellAgain(services: Services, actor: Actor, productId: string): Promise<string> {
  const { database } = services;
  const product = await readEnded(database.db, actor.userId, productId);
  await requireFreeSpace(services);
  const copies = await copiesOf(database.db, productId);
  return await withUploadAllowance(services, actor, await bytesOf(database.db, copies), async () => {
    for (const _ of copies) requireAllowance(await services.limits.picture(actor.userId));
    try {
      for (const copy of copies) await copyFiles(services, copy);
      return await save(services, actor, product, copies);
    } catch (error) {
      // If the database didn't answer, the copies may be recorded, which the nightly tidy-up finds out.
      if (!isDatabaseFailure(error))
        for (const { id } of copies) await services.storage.disk.deleteAll(folderOf(id)).catch(() => {});
      throw error;
    }
  });
}

async function readEnded(db: Reader, sellerId: string, productId: string) {
  const [product] = await db.select().from(auctionProduct).where(eq(auctionProduct.id, productId));
  if (!product || product.sellerId !== sellerId || product.state === "removed")
    throw new Refusal("not-found", { message: auctionTexts.notFound });
  if (product.state === "open")
    throw new Refusal("failed-precondition", { message: "This auction hasn't ended yet." });
  return product;
}

async function copiesOf(db: Reader, productId: string): Promise<Copy[]> {
  const rows = await db
    .select({ from: auctionPicture.id, width: auctionPicture.width, height: auctionPicture.height })
    .from(auctionPicture)
    .where(eq(auctionPicture.productId, productId))
    .orderBy(asc(auctionPicture.position));
  return rows.map((row) => ({ ...row, id: randomUUID() }));
}

/** Returns the size of all files of these pictures. Imported files without a size count as empty. */
async function bytesOf(db: Reader, copies: readonly Copy[]): Promise<number> {
  const ids = copies.map(({ from }) => from);
  const [files] = await db
    .select({ bytes: sum(storedFile.size).mapWith(Number) })
    .from(storedFile)
    .where(and(eq(storedFile.purpose, "auctionPicture"), inArray(storedFile.recordId, ids)));
  return files?.bytes ?? 0;
}

async function copyFiles({ storage }: Services, { from, id }: Copy): Promise<void> {
  for (const { width, format } of pictureFiles)
    await storage.keep(keyOf(id, width, format), await storage.disk.getStream(keyOf(from, width, format)));
}

const save = (
  { database }: Services,
  actor: Actor,
  product: typeof auctionProduct.$inferSelect,
  copies: readonly Copy[],
): Promise<string> =>
  database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    const ownerId = actor.userId;
    const keys = new Map(
      copies.flatMap(({ from, id }) =>
        pictureFiles.map(
          ({ width, format }) =>
            [keyOf(from, width, format), { key: keyOf(id, width, format), recordId: id }] as const,
        ),
      ),
    );
    const files = await tx
      .select()
      .from(storedFile)
      .where(inArray(storedFile.key, [...keys.keys()]));
    const copied = files.flatMap(({ createdAt: _then, key, ...file }) => {
      const copy = keys.get(key);
      return copy ? [{ ...file, ...copy, ownerId }] : [];
    });
    if (copied.length > 0) await tx.insert(storedFile).values(copied);
    const pictures = copies.map(({ id, width, height }) => ({ id, ownerId, width, height }));
    if (pictures.length > 0) await tx.insert(auctionPicture).values(pictures);
    const form = readDraft({
      ...product,
      startingBid: amountInput(product.startingBid),
      courier: product.courier === null ? "" : amountInput(product.courier),
      endDate: "",
      softClose: product.softClose ? "on" : "off",
    });
    return await addDraft(tx, ownerId, {
      form,
      pictures: copies.map(({ id }) => id),
      copiedFrom: product.id,
    });
  });
