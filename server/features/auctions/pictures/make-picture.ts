import sharp, { type Sharp } from "sharp";
import { pictureLimits } from "#domain/auction-picture.ts";
import { pictureWidths } from "#protocol/picture-files.ts";
import { pictureFiles } from "./picture-files.ts";

// Whatever a file says it is: nothing but these three is ever decoded.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"],
});
sharp.concurrency(1);
sharp.cache(false);

/** A picture that is more times higher than wide is made smaller as a whole: nobody sees it at its width. */
const tallest = 4;
const quality = 80;

type Pixels = { data: Buffer; raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };
type Decoded = { pixels: Pixels; original: { width: number; height: number } };

/** What libjpeg warns of besides gaps: a few cameras and programs write such heads, and nothing of the picture is lost. */
const oddHead = /unknown JFIF revision number|Unknown Adobe color transform code/;

/**
 * Decodes the file: upright, in sRGB with 8 bits, no larger than the largest that is shown. That the middle of a JPEG is
 * missing is only a warning to its decoder.
 */
const decode = (bytes: Buffer): Promise<Decoded> =>
  pixelsOf(bytes, "warning").catch((error: unknown) => {
    if (oddHead.test(String(error))) return pixelsOf(bytes, "error");
    throw error;
  });

async function pixelsOf(bytes: Buffer, failOn: "error" | "warning"): Promise<Decoded> {
  const input = sharp(bytes, { limitInputPixels: pictureLimits.pixels, failOn, pages: 1 });
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

/** `width` and `height` of the original in pixels, upright; `files` in the order of `pictureFiles`. */
export type Made = { width: number; height: number; files: readonly Buffer[] };

/** Makes the files of a picture out of its pixels alone: no metadata comes along. Rejects when there are none to be had. */
export async function makePicture(bytes: Buffer): Promise<Made> {
  const { pixels, original } = await decode(bytes);
  const files = await Promise.all(
    pictureFiles.map(({ width, format }) => {
      const picture = fitted(sharp(pixels.data, { raw: pixels.raw }), width);
      return format === "webp"
        ? picture.webp({ quality }).toBuffer()
        : picture.flatten({ background: "#ffffff" }).jpeg({ quality, progressive: true }).toBuffer();
    }),
  );
  return { width: original.width, height: original.height, files };
}
