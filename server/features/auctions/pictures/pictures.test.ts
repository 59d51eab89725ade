import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { crowdedPictures, pictureLimits, pictureRefusal } from "#domain/auction-picture.ts";
import { shownWidth } from "#protocol/picture-files.ts";
import { Refusal } from "#server/refusal.ts";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { jpeg, pdf, png, webp } from "#tests/support/files.ts";
import { filesOfPicture, painted, pictureFilesIn, sendPicture } from "#tests/support/pictures.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionPicture } from "../tables.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());
beforeEach(async () => {
  await w.services.database.db.delete(auctionPicture);
  await w.services.storage.disk.deleteAll("auction-images");
});

const visitor = () => new Caller(w.app);
/** Puts an uploaded picture on a product, so that everyone may see it. */
async function showOnProduct(id: string): Promise<string> {
  await w.services.database.db.update(auctionPicture).set({ productId: await product(w, seller) });
  return id;
}
/** Uploads a picture, and fetches its files as a visitor. */
async function uploadAndFetch(bytes: Uint8Array) {
  const { id, ...answer } = await sendPicture(seller, bytes);
  expect(answer).toMatchObject({ status: 200 });
  return { ...answer, files: await filesOfPicture(visitor(), await showOnProduct(id)) };
}

test("a picture is made in three widths and two formats, and never enlarged", async () => {
  const { files, width, height } = await uploadAndFetch(await painted(1000, 500).jpeg().toBuffer());
  expect({ width, height }).toEqual({ width: 1000, height: 500 });
  for (const { width, format, response, bytes } of files) {
    expect(response.headers.get("content-type")).toBe(format === "jpg" ? "image/jpeg" : "image/webp");
    expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const metadata = await sharp(bytes).metadata();
    expect(metadata.format).toBe(format === "jpg" ? "jpeg" : "webp");
    expect(metadata.width).toBe(shownWidth(width, { width: 1000, height: 800 }));
    expect(metadata.height).toBe(metadata.width / 2);
  }
  expect(await pictureFilesIn(w)).toHaveLength(6);
});

test("the files of a picture are upright and contain neither its location nor other metadata", async () => {
  const marks = {
    IFD0: { Copyright: "MARK-OF-THE-CAMERA" },
    IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1", GPSMapDatum: "MARK-OF-THE-PLACE" },
  };
  const bytes = await painted(400, 200)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge(marks)
    .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>MARK-OF-THE-PROGRAM</x:xmpmeta>")
    .withIccProfile("p3")
    .toBuffer();
  expect(bytes.includes("MARK-OF-THE-PLACE")).toBe(true);
  const { files, width, height } = await uploadAndFetch(bytes);
  expect({ width, height }).toEqual({ width: 200, height: 400 });
  for (const { bytes } of files) {
    const metadata = await sharp(bytes).metadata();
    expect(metadata.height).toBeGreaterThan(metadata.width);
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.iptc, metadata.orientation]).toEqual(
      Array(5).fill(undefined),
    );
    expect(bytes.includes("MARK-OF")).toBe(false);
  }
});

describe("unusual but accepted:", () => {
  const red = { r: 200, g: 30, b: 30 };
  const flat = (alpha = 1) =>
    sharp({ create: { width: 40, height: 30, channels: 4, background: { ...red, alpha } } });
  const animated = async () => {
    const frames = await Promise.all([flat(), painted(40, 30)].map((each) => each.png().toBuffer()));
    return await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
  };
  test.each([
    ["for print, in CMYK", () => flat().removeAlpha().toColourspace("cmyk").jpeg().toBuffer()],
    ["with 16 bits a channel", () => flat().toColourspace("rgb16").png().toBuffer()],
    ["that is animated, by its first frame", animated],
    [
      "with data after its end",
      async () => Buffer.concat([await flat().png().toBuffer(), Buffer.from("<script>MARK</script>")]),
    ],
    [
      "of an unknown JFIF version, with stray bytes before its end, as some cameras write",
      async () => {
        const bytes = await flat().removeAlpha().jpeg().toBuffer();
        const jfif = Buffer.from("ffe000104a46494600030000000100010000", "hex");
        const parts = [bytes.subarray(0, 2), jfif, bytes.subarray(2, -2), Buffer.alloc(900)];
        return Buffer.concat([...parts, bytes.subarray(-2)]);
      },
    ],
  ])("a picture %s", async (_title, make) => {
    const { files } = await uploadAndFetch(await make());
    for (const { bytes } of files) {
      const metadata = await sharp(bytes).metadata();
      expect(metadata).toMatchObject({ space: "srgb", depth: "uchar", width: 40, height: 30 });
      expect(metadata.pages ?? 1).toBe(1);
      expect(bytes.includes("MARK")).toBe(false);
      const { channels } = await sharp(bytes).stats();
      expect(channels[0]?.mean).toBeGreaterThan(150);
      expect(channels[1]?.mean).toBeLessThan(80);
    }
  });

  test("a transparent picture gets a white background in JPEG, and stays transparent in WebP", async () => {
    const { files } = await uploadAndFetch(await flat(0).png().toBuffer());
    for (const { format, bytes } of files) {
      const { channels, isOpaque } = await sharp(bytes).stats();
      expect(isOpaque).toBe(format === "jpg");
      if (format === "jpg") expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
    }
  });

  test("a picture that is far higher than wide is made smaller", async () => {
    const { files } = await uploadAndFetch(await painted(20, 17_000).png().toBuffer());
    expect(await Promise.all(files.map(async ({ bytes }) => (await sharp(bytes).metadata()).height))).toEqual(
      [1280, 1280, 3200, 3200, 6400, 6400],
    );
  });
});

describe("hostile and refused, with nothing left behind:", () => {
  const whole = () => painted(300, 300).jpeg().toBuffer();
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const withoutMiddle = async (progressive: boolean) => {
    const picture = sharp({ create: { width: 300, height: 300, channels: 3, background: "#888", noise } });
    const bytes = await picture.jpeg({ progressive }).toBuffer();
    return Buffer.concat([bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2 + 4000)]);
  };
  test.each([
    ["an empty file", "empty", async () => Buffer.alloc(0)],
    [
      "an SVG with a picture's name",
      "unknownType",
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ["a PDF", "unknownType", async () => pdf()],
    ["a GIF", "unknownType", () => painted().gif().toBuffer()],
    ["a TIFF", "unknownType", () => painted().tiff().toBuffer()],
    ["a PNG that declares 2,500 megapixels", "tooManyPixels", async () => png(50_000, 50_000)],
    ["a PNG with a side of 20,001 pixels", "tooManyPixels", async () => png(20_001, 1)],
    ["a JPEG with a side of 20,001 pixels", "tooManyPixels", async () => jpeg(1, 20_001)],
    ["a WebP that declares 268 megapixels", "tooManyPixels", async () => webp(16_383, 16_383)],
    ["a JPEG whose end is missing", "cutOff", async () => (await whole()).subarray(0, -2)],
    ["a JPEG whose middle is missing", "damaged", () => withoutMiddle(false)],
    ["a progressive JPEG whose middle is missing", "damaged", () => withoutMiddle(true)],
    ["a PNG that is one only by its frame", "damaged", async () => png(100, 100, 5000)],
    ["a JPEG that is one only by its frame", "damaged", async () => jpeg(100, 100)],
    ["a WebP that is one only by its frame", "damaged", async () => webp(100, 100)],
    [
      "too many bytes",
      "tooLarge",
      async () => Buffer.concat([await whole(), Buffer.alloc(pictureLimits.bytes)]),
    ],
  ] as const)("%s: %s", async (_title, problem, make) => {
    const answer = await sendPicture(seller, await make());
    const { code, message } = pictureRefusal[problem];
    expect(answer).toMatchObject({ code, message });
    expect(await pictureFilesIn(w)).toEqual([]);
    expect(await w.services.database.db.select().from(auctionPicture)).toEqual([]);
  });
});

test("killing the decoding process fails its picture, but not the next one", async () => {
  const good = await painted().jpeg().toBuffer();
  // The picture is large, so that the process is killed in the middle of it.
  const large = await painted(7000, 7000).png().toBuffer();
  await sendPicture(seller, good);
  const answer = sendPicture(seller, large);
  const pid = await until(() => w.services.pictures.currentPid() ?? undefined);
  process.kill(pid, "SIGKILL");
  expect(await answer).toMatchObject({ status: 503, code: "unavailable" });
  expect(w.services.pictures.currentPid()).toBeNull();
  expect(await pictureFilesIn(w)).toHaveLength(6);
  expect((await sendPicture(seller, good)).status).toBe(200);
  expect(await pictureFilesIn(w)).toHaveLength(12);
});

test("six concurrent pictures of each of two accounts are all made, one after the other", async () => {
  const other = await person(w, "student", "active");
  const bytes = await painted().jpeg().toBuffer();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => sendPicture(at % 2 === 0 ? seller : other, bytes)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(12);
  expect(await pictureFilesIn(w)).toHaveLength(72);
});

test("pictures beyond the queue's limit are refused with a retry time, and don't use up the allowance", async () => {
  const who = await person(w, "student", "active");
  const { pictures, limits } = w.services;
  const { make } = pictures;
  pictures.make = async () => {
    throw new Refusal("resource-exhausted", { message: crowdedPictures, retryAfter: 10 });
  };
  const refunds = vi.fn(async () => {});
  const picture = vi.spyOn(limits, "picture").mockResolvedValue({ kind: "allowed", refund: refunds });
  const answer = await sendPicture(who, await painted().jpeg().toBuffer());
  pictures.make = make;
  picture.mockRestore();
  const refused = { status: 429, code: "resource-exhausted", message: crowdedPictures, retryAfter: "10" };
  expect(answer).toMatchObject(refused);
  expect(refunds).toHaveBeenCalledOnce();
  expect(await pictureFilesIn(w)).toEqual([]);
});
