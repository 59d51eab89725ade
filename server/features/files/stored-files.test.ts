import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentsOf, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { sendPicture } from "#tests/support/pictures.ts";
import { realPng } from "#tests/support/real-png.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { storedFile } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const filesOf = (ownerId: string) =>
  w.services.database.db
    .select()
    .from(storedFile)
    .where(eq(storedFile.ownerId, ownerId))
    .orderBy(asc(storedFile.key));

test("an uploaded document is recorded with its size, hash and scan, and the record is deleted with the document", async () => {
  const student = await person(w, "student", "active");
  await upload(student);
  const [row] = await documentsOf(w, student.id);
  const [file, ...others] = await filesOf(student.id);
  expect(others).toEqual([]);
  expect(file).toMatchObject({
    key: row?.storageKey,
    purpose: "document",
    recordId: row?.id,
    name: row?.originalName,
    mediaType: row?.mediaType,
    size: row?.size,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    scan: "off",
  });
  await w.services.database.db.execute(sql`delete from document where id = ${row?.id}`);
  expect(await filesOf(student.id)).toEqual([]);
});

test("each file made from a picture is recorded with its size, and the record is deleted with the picture", async () => {
  const seller = await person(w, "student", "active");
  const { id } = await sendPicture(seller, await realPng({ width: 64, height: 48 }));
  const files = await filesOf(seller.id);
  expect(files.map(({ key, mediaType }) => `${key} ${mediaType}`)).toEqual([
    `auction-images/${id}/1600.jpg image/jpeg`,
    `auction-images/${id}/1600.webp image/webp`,
    `auction-images/${id}/320.jpg image/jpeg`,
    `auction-images/${id}/320.webp image/webp`,
    `auction-images/${id}/800.jpg image/jpeg`,
    `auction-images/${id}/800.webp image/webp`,
  ]);
  for (const { key, size, sha256 } of files) {
    expect((await w.services.storage.disk.getMetaData(key)).contentLength).toBe(size);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
  await w.services.database.db.execute(sql`delete from auction_picture where id = ${id}`);
  expect(await filesOf(seller.id)).toEqual([]);
});

test("the files of rows that a node of the previous version writes are recorded too", async () => {
  const student = await person(w, "student", "active");
  await w.services.database.db.execute(sql`
    insert into document (id, student_id, kind, storage_key, original_name, media_type, size)
    values ('earlier-document', ${student.id}, 'cv', 'documents/cv/earlier', 'cv.pdf', 'application/pdf', 7)`);
  await w.services.database.db.execute(sql`
    insert into auction_picture (id, owner_id, width, height)
    values ('00000000-0000-4000-8000-000000000001', ${student.id}, 8, 8)`);
  const files = await filesOf(student.id);
  expect(files.map(({ purpose, size }) => `${purpose} ${size}`).toSorted()).toEqual([
    ...Array<string>(6).fill("auctionPicture null"),
    "document 7",
  ]);
});
