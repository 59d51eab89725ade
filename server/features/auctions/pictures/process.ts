import { readFileSync, writeFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { pictureLimits } from "#domain/auction-picture.ts";
import { pictureWidths, tallest } from "#protocol/picture-files.ts";
import { descriptors, measuring, type Outcome, pictureFiles } from "./picture-files.ts";

// Only these three formats are ever decoded, whatever a file claims to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"],
});
sharp.concurrency(1);
sharp.cache(false);

const quality = 80;

type Pixels = { data: Buffer; raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };
type DecodedPicture = { pixels: Pixels; original: { width: number; height: number } };

/**
 * Matches libjpeg's warnings about odd headers, which a few cameras and programs write. The picture itself is complete.
 */
const oddHeader = /unknown JFIF revision number|Unknown Adobe color transform code/;

/**
 * Decodes the file upright, in 8-bit sRGB, no larger than the largest size shown. Fails on warnings, because a gap in
 * the middle of a JPEG is only a warning to its decoder.
 */
const decode = (bytes: Buffer): Promise<DecodedPicture> =>
  pixelsOf(bytes, "warning").catch((error: unknown) => {
    if (oddHeader.test(String(error))) return pixelsOf(bytes, "error");
    throw error;
  });

async function pixelsOf(bytes: Buffer, failOn: "error" | "warning"): Promise<DecodedPicture> {
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

/** `width` and `height` are the original's in pixels, upright; `files` are in the order of `pictureFiles`. */
type PictureFiles = { width: number; height: number; files: readonly Buffer[] };

/** Makes the files of a picture from its pixels alone, without metadata. Rejects when it can't be decoded. */
async function makePicture(bytes: Buffer): Promise<PictureFiles> {
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

/** Decodes one untrusted picture in this process, which has open files, but neither secrets nor paths. */
async function work(): Promise<Outcome> {
  let picture: PictureFiles;
  try {
    picture = await makePicture(readFileSync(descriptors.picture));
  } catch {
    return { kind: "damaged" };
  }
  for (const [at, bytes] of picture.files.entries()) writeFileSync(descriptors.firstFile + at, bytes);
  return { kind: "made", width: picture.width, height: picture.height };
}

function reserved(): number {
  // Other systems count differently; macOS bounds only a part of the memory by `ulimit -d`.
  if (process.platform !== "linux") return 0;
  const status = readFileSync("/proc/self/status", "utf8");
  const sizeOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
  return sizeOf("VmData") - sizeOf("RssAnon");
}

const answer = process.argv.includes(measuring)
  ? { reserved: reserved() }
  : await work().catch((error: unknown): Outcome => ({ kind: "failed", message: String(error) }));
process.stdout.write(JSON.stringify(answer));
