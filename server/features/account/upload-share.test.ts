import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { crowdedAddress, fullStore, unverifiedUploads } from "#domain/file-rules.ts";
import { createMetrics } from "#server/metrics.ts";
import { closed } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { documentsOf, filesOf, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import {
  createProduct,
  painted,
  pictureFilesIn,
  productForm,
  readyPicture,
  sendPicture,
} from "#tests/support/pictures.ts";
import { wayfare } from "#tests/support/wayfare.ts";
import { auctionProduct } from "../auctions/tables.ts";
import { storedFile } from "../files/tables.ts";
import { user } from "./tables.ts";

async function bench(variables: Record<string, string> = {}) {
  const w = await wayfare({ variables });
  onTestFinished(() => w.stop());
  /** Creates a student at a network address whose email address isn't verified. */
  async function at(address: string) {
    const student = await person(w, "student", "active", new Caller(w.app, address));
    await w.services.database.db.update(user).set({ emailVerified: false }).where(eq(user.id, student.id));
    return student;
  }
  return { w, at };
}
const large = new Uint8Array(pdf(2_000_000));
const small = new Uint8Array(pdf(50_000));

test("unverified accounts at one address share a daily allowance for documents and pictures", async () => {
  const { w, at } = await bench();
  const address = "192.0.2.1";
  const [one, other, elsewhere] = await Promise.all([at(address), at(address), at("192.0.2.2")]);
  await w.services.limits.unverifiedUpload(address, unverifiedUploads - 1_000_000);
  const refused = { status: 429, code: "resource-exhausted", message: crowdedAddress };
  expect(await upload(one, { bytes: large })).toMatchObject(refused);
  expect(await documentsOf(w, one.id)).toEqual([]);
  expect(await filesOf(w, one.id)).toEqual([]);
  // The refused file took nothing, so there is room for a smaller one.
  expect((await upload(one, { bytes: small })).status).toBe(200);
  await w.services.limits.unverifiedUpload(address, 900_000);
  const noise = await painted(900, 900).png().toBuffer();
  const padded = Buffer.concat([noise, Buffer.alloc(200_000)]);
  expect(await sendPicture(other, padded)).toMatchObject(refused);
  expect((await upload(elsewhere, { bytes: large })).status).toBe(200);
  await w.services.database.db.update(user).set({ emailVerified: true }).where(eq(user.id, one.id));
  expect((await upload(one, { bytes: large })).status).toBe(200);
});

test("a file that is refused as invalid does not count", async () => {
  const { w, at } = await bench();
  const one = await at("192.0.2.1");
  await w.services.limits.unverifiedUpload("192.0.2.1", unverifiedUploads - 200_000);
  const damaged = Buffer.concat([
    Buffer.from(await painted(40, 30).png().toBuffer()).subarray(0, 60),
    Buffer.alloc(150_000),
  ]);
  for (let times = 0; times < 3; times++) expect((await sendPicture(one, damaged)).status).toBe(400);
  expect((await upload(one, { bytes: small })).status).toBe(200);
});

test("the pictures of an item that is sold again count towards the share by their stored sizes", async () => {
  const { w, at } = await bench();
  const address = "192.0.2.1";
  const seller = await at(address);
  const { db } = w.services.database;
  const form = productForm({ images: [await readyPicture(seller)] });
  const productId = textIn((await createProduct(seller, form)).body, "id");
  await db.update(auctionProduct).set(closed).where(eq(auctionProduct.id, productId));
  const sizeEach = (size: number) =>
    db.update(storedFile).set({ size }).where(eq(storedFile.purpose, "auctionPicture"));
  const sellAgain = () => seller.caller.call("auctions.sellAgain", { productId });
  const files = await pictureFilesIn(w);
  await w.services.limits.unverifiedUpload(address, unverifiedUploads - 100_000);

  await sizeEach(50_000);
  expect(await sellAgain()).toMatchObject({ code: "resource-exhausted", message: crowdedAddress });
  expect(await pictureFilesIn(w)).toEqual(files);
  // The refused copy took nothing, so there is room for one of smaller files, but not for two.
  await sizeEach(10_000);
  expect((await sellAgain()).code).toBeNull();
  expect((await sellAgain()).code).toBe("resource-exhausted");
  await db.update(user).set({ emailVerified: true }).where(eq(user.id, seller.id));
  expect((await sellAgain()).code).toBeNull();
});

test("uploads are refused below the minimum of free space, and the log and the metrics show it", async () => {
  const { w, at } = await bench({ UPLOAD_MIN_FREE_MB: "100000000" });
  const one = await at("192.0.2.1");
  const refused = { status: 503, code: "unavailable", message: fullStore };
  const answer = await upload(one, { bytes: small });
  expect(answer).toMatchObject(refused);
  expect(answer.headers.get("retry-after")).toBe("600");
  expect(await sendPicture(one, await painted().png().toBuffer())).toMatchObject(refused);
  expect(await filesOf(w, one.id)).toEqual([]);
  expect(w.log.filter(({ msg, level }) => level === 50 && /free space is short/.test(msg))).toHaveLength(2);
  const metrics = await createMetrics(w.services).metrics();
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  expect(valueOf("wayfare_storage_free_bytes")).toBeGreaterThan(0);
  expect(valueOf("wayfare_storage_free_bytes")).toBeLessThan(valueOf("wayfare_storage_min_free_bytes"));
});
