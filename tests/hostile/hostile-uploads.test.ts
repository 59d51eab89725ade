import { afterAll, beforeAll, expect, test } from "vitest";
import { documentKinds } from "#domain/document.ts";
import { stored } from "#tests/access/stored.ts";
import { textIn } from "#tests/support/caller.ts";
import { upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { filesOfPicture, sendPicture } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { script } from "./hostile-parts.ts";
import { hostileUploads, metadataKinds } from "./hostile-uploads.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

/** The served types that a browser displays: none of them is a page or a program. */
const inlineTypes = ["application/pdf", "image/jpeg", "image/png"];

test("there are many hostile files of every kind", () => {
  expect(hostileUploads.length).toBeGreaterThanOrEqual(40);
  expect(new Set(hostileUploads.map(({ title }) => title)).size).toBe(hostileUploads.length);
});

/** Payloads in hostile pictures: the served pictures must contain none of them. */
const payloads = [script, "<?php", "PK\x03\x04", "position"];

async function served(
  caller: Awaited<ReturnType<typeof person>>["caller"],
  documentId: string,
  mode: string,
) {
  const { body } = await caller.call("documents.link", { documentId, mode });
  const response = await caller.request(textIn(body, "url"), {});
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

test.each(hostileUploads.map((each, at) => ({ ...each, slot: at % documentKinds.length })))(
  "as a document: $title",
  async ({ make, name = "file.pdf", document, saved = name, slot }) => {
    const bytes = new Uint8Array(await make());
    const student = await person(w, "student", "active");
    const before = await stored(w);
    const kind = documentKinds[slot] ?? "cv";
    // Names are encoded as a page encodes them; an unpaired surrogate can't be encoded that way.
    const header = name.isWellFormed() ? encodeURIComponent(name) : "cv%ed%a0%80.pdf";
    const answer = await upload(student, { kind, bytes, headers: { "x-file-name": header } });
    if (!document.includes("/")) {
      expect(answer).toMatchObject({ code: document, id: "" });
      expect(await stored(w)).toEqual(before);
      return;
    }
    expect(answer.status).toBe(200);
    const [view, download] = [
      await served(student.caller, answer.id, "view"),
      await served(student.caller, answer.id, "download"),
    ];
    for (const { status, headers, bytes: body } of [view, download]) {
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe(document);
      expect(inlineTypes).toContain(document);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(body.equals(bytes)).toBe(true);
    }
    expect(download.headers.get("content-disposition")).toMatch(/^attachment; /);
    expect(download.headers.get("content-disposition")).toContain(
      `UTF-8''${encodeURIComponent(saved).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
    );
    expect(download.headers.get("content-security-policy")).toContain("sandbox");
    if (document !== "application/pdf")
      expect(view.headers.get("content-security-policy")).toContain("sandbox");
  },
);

test.each(hostileUploads)("as a picture: $title", async ({ make, picture }) => {
  const bytes = await make();
  const seller = await person(w, "student", "active");
  const before = await stored(w);
  const answer = await sendPicture(seller, bytes);
  if (picture !== "made") {
    expect(answer).toMatchObject({ code: picture, id: "" });
    expect(await stored(w)).toEqual(before);
    return;
  }
  expect(answer.status).toBe(200);
  // Pictures are only served with an item.
  await w.services.database.pool.query(
    `with item as (
       insert into auction_product (id, seller_id, product_name, description, starting_bid, category, subcategory, grade, end_date)
       values (gen_random_uuid(), $1, 'Desk', 'A desk', 100, 'home', 'Decor', 'New', now() + interval '1 day') returning id)
     update auction_picture set product_id = item.id from item where auction_picture.id = $2`,
    [seller.id, answer.id],
  );
  for (const { response, bytes: file } of await filesOfPicture(seller.caller, answer.id)) {
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^image\/(webp|jpeg)$/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await metadataKinds(file)).toEqual([]);
    for (const payload of payloads) expect(file.includes(Buffer.from(payload, "latin1"))).toBe(false);
  }
});

test("a picture that tells where it was taken contains EXIF to remove", async () => {
  const where = hostileUploads.find(({ title }) => title.includes("where it was taken"));
  expect(await metadataKinds((await where?.make()) ?? Buffer.alloc(0))).toEqual(["exif"]);
});

test("the server logged no bug during these uploads", () => {
  expect(w.log.filter(({ level }) => level >= 50)).toEqual([]);
});
