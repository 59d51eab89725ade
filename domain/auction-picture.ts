import type { ErrorCode } from "#domain/error-catalogue.ts";
import { typeByStart } from "#domain/file-start.ts";

/** What a picture of a product may be, recognised by its content. */
export const pictureTypes = ["image/jpeg", "image/png", "image/webp"] as const;

/** `bytes` of a file; `pixels` of a picture, and of each of its sides: some decoders take memory by the row. */
export const pictureLimits = { bytes: 10 * 1024 * 1024, pixels: 50_000_000, side: 20_000 } as const;

/** The widths in pixels that a picture is made ready in. */
export const pictureWidths = [320, 800, 1600] as const;
export type PictureWidth = (typeof pictureWidths)[number];
/** And the formats: WebP, and JPEG for browsers that do not know it. */
export const pictureFormats = ["webp", "jpg"] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** How wide the file for a width is: nothing is enlarged. In pixels, as `original` is. */
export const shownWidth = (width: PictureWidth, original: number): number => Math.min(width, original);

/** The widths whose files differ: up to the first that has all of the original. */
export const usefulWidths = (original: number): readonly PictureWidth[] =>
  pictureWidths.filter((_, at) => (pictureWidths[at - 1] ?? 0) < original);

/** Where browsers find a picture. */
export const pictureAddress = (id: string, width: PictureWidth, format: PictureFormat): string =>
  `/pictures/${id}/${width}.${format}`;

/** Why a picture is not taken. */
export type PictureProblem =
  | "empty"
  | "tooLarge"
  | "unknownType"
  | "noSize"
  | "tooManyPixels"
  | "cutOff"
  | "damaged";

/** What the person reads beside the file, and the code that goes with it. */
export const pictureRefusal: Record<PictureProblem, { code: ErrorCode; message: string }> = {
  empty: { code: "invalid-argument", message: "This file is empty." },
  tooLarge: {
    code: "out-of-range",
    message: `This picture is too large. The limit is ${pictureLimits.bytes / 1024 / 1024} MB.`,
  },
  unknownType: { code: "invalid-argument", message: "This isn't a JPEG, PNG or WebP picture." },
  noSize: {
    code: "invalid-argument",
    message: "We couldn't read this picture. Try saving it again in another app.",
  },
  tooManyPixels: {
    code: "out-of-range",
    message: `This picture is too large. The limit is ${pictureLimits.pixels / 1_000_000} megapixels, and ${pictureLimits.side.toLocaleString("en")} pixels per side.`,
  },
  cutOff: { code: "invalid-argument", message: "This file is incomplete. Please check it and try again." },
  damaged: {
    code: "invalid-argument",
    message: "We couldn't read this picture. Try saving it again in another app.",
  },
};

/** What is wrong with a file before it is sent; null when nothing is wrong so far. `size` in bytes. */
export function pictureFileProblem({ size }: { size: number }): PictureProblem | null {
  if (size === 0) return "empty";
  return size > pictureLimits.bytes ? "tooLarge" : null;
}

/** What is wrong with a file by its first bytes, before all of it is sent. */
export function pictureStartProblem(start: Uint8Array): PictureProblem | null {
  const type = typeByStart(start);
  return pictureTypes.some((each) => each === type) ? null : "unknownType";
}

/** Whether a picture may be that large; `width` and `height` in pixels. */
export function pictureSizeProblem(size: {
  width: number;
  height: number;
}): "noSize" | "tooManyPixels" | null {
  const { width, height } = size;
  if (width === 0 || height === 0) return "noSize";
  return width * height > pictureLimits.pixels || Math.max(width, height) > pictureLimits.side
    ? "tooManyPixels"
    : null;
}

/** More pictures wait to be made ready than there is room for. */
export const crowdedPictures = "We're working on a lot of pictures right now. Please try again in a moment.";
