import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeOrphans } from "#server/features/files/tidy-files.ts";
import { person } from "#tests/support/factories.ts";
import { createProduct, pictureFilesIn, productForm, readyPicture } from "#tests/support/pictures.ts";
import { incomingOf } from "#tests/support/stores.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionPicture } from "../tables.ts";
import { tidyPictures } from "./tidy-pictures.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const hours = (number: number) => new Date(Date.now() + number * 60 * 60 * 1000);

test("unused pictures and the leftovers of a killed process are deleted after a day; used pictures stay", async () => {
  const seller = await person(w, "student", "active");
  const [used, unused] = [await readyPicture(seller), await readyPicture(seller)];
  await createProduct(seller, productForm({ images: [used] }));
  const { disk } = w.services.storage;
  const unrecorded = crypto.randomUUID();
  await disk.put(`auction-images/${unrecorded}/320.webp`, "no record names me");
  await disk.put("auction-images/somewhere/else.txt", "nor me");
  await tidyPictures(w.services, hours(23));
  await removeOrphans(w.services, hours(23));
  expect(await pictureFilesIn(w)).toHaveLength(14);
  await tidyPictures(w.services, hours(25));
  await removeOrphans(w.services, hours(25));
  const files = await pictureFilesIn(w);
  expect(files).toHaveLength(6);
  expect(files.every((path) => path.startsWith(`auction-images/${used}/`))).toBe(true);
  const { db } = w.services.database;
  expect(await db.select().from(auctionPicture).where(eq(auctionPicture.id, unused))).toEqual([]);
  expect((await createProduct(seller, productForm({ images: [unused] }))).code).toBe("not-found");
});

test("more pictures than one batch and the leftovers of an upload are deleted", async () => {
  const { db } = w.services.database;
  const ids = Array.from({ length: 450 }, () => crypto.randomUUID());
  await db
    .insert(auctionPicture)
    .values(ids.map((id) => ({ id, ownerId: "nobody", width: 1, height: 1, createdAt: hours(-30) })));
  await tidyPictures(w.services);
  expect(await db.select().from(auctionPicture).where(eq(auctionPicture.ownerId, "nobody"))).toEqual([]);
  const path = join(incomingOf(w.environment), "draft.320.webp");
  await writeFile(path, "half a picture");
  await utimes(path, hours(-30), hours(-30));
  await w.services.storage.removeUnfinished(hours(-24));
  expect((await pictureFilesIn(w)).filter((file) => file.startsWith("incoming/"))).toEqual([]);
});
