import { open } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { pictureLimits, pictureWidths } from "#domain/auction-picture.ts";
import { madeFrom, pictureFiles } from "./messages.ts";

// Whatever a file says it is: nothing but these three is ever decoded.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegFile", "VipsForeignLoadPngFile", "VipsForeignLoadWebpFile"],
});
sharp.concurrency(1);
sharp.cache(false);

/** A picture so long and narrow that WebP has no room for it is made smaller as a whole. */
const tallest = 10;
const quality = 80;

/** A file that no picture can be made of. */
export class DamagedPicture extends Error {}

type Pixels = { data: Buffer; raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };
type Decoded = { pixels: Pixels; original: { width: number; height: number } };

/** What libjpeg warns of besides gaps: a few cameras and programs write such heads, and nothing of the picture is lost. */
const oddHead = /unknown JFIF revision number|Unknown Adobe color transform code/;

/**
 * Decodes the file: upright, in sRGB with 8 bits, no larger than the largest that is shown. That the middle of a JPEG is
 * missing is only a warning to its decoder.
 */
async function decode(draft: string): Promise<Decoded> {
  try {
    return await pixelsOf(draft, "warning").catch((error: unknown) => {
      if (oddHead.test(String(error))) return pixelsOf(draft, "error");
      throw error;
    });
  } catch (error) {
    throw new DamagedPicture("this file can't be decoded", { cause: error });
  }
}

async function pixelsOf(draft: string, failOn: "error" | "warning"): Promise<Decoded> {
  const input = sharp(draft, { limitInputPixels: pictureLimits.pixels, failOn, pages: 1 });
  const { autoOrient } = await input.metadata();
  const largest = Math.max(...pictureWidths);
  const { data, info } = await fitted(input.autoOrient(), largest)
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { pixels: { data, raw: { width, height, channels } }, original: autoOrient };
}

const fitted = (picture: Sharp, width: number): Sharp =>
  picture.resize({ width, height: width * tallest, fit: "inside", withoutEnlargement: true });

/** Afterwards the file is on disk, even when the power goes. */
async function flush(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Makes the files of a picture, beside the draft, out of its pixels alone: no metadata comes along. Returns the
 * original's size in pixels, upright. Rejects with DamagedPicture when there are no pixels to be had.
 */
export async function makePicture(draft: string): Promise<{ width: number; height: number }> {
  const { pixels, original } = await decode(draft);
  await Promise.all(
    pictureFiles.map(async ({ width, format, name }) => {
      const picture = fitted(sharp(pixels.data, { raw: pixels.raw }), width);
      const path = madeFrom(draft, name);
      if (format === "webp") await picture.webp({ quality }).toFile(path);
      else await picture.flatten({ background: "#ffffff" }).jpeg({ quality, progressive: true }).toFile(path);
      await flush(path);
    }),
  );
  return { width: original.width, height: original.height };
}
