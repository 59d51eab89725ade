import { z } from "zod";
import {
  type PictureFormat,
  type PictureWidth,
  pictureFormats,
  pictureWidths,
} from "#protocol/picture-files.ts";

/** The files of a picture: every width in every format, such as 800.webp. */
export const pictureFiles = pictureWidths.flatMap((width) =>
  pictureFormats.map((format) => ({ width, format, name: `${width}.${format}` }) as const),
);

/** Where the store keeps pictures: a folder for each, in it a file for each width and format. */
export const picturesFolder = "auction-images";
export const folderOf = (id: string): string => `${picturesFolder}/${id}`;
export const keyOf = (id: string, width: PictureWidth, format: PictureFormat): string =>
  `${folderOf(id)}/${width}.${format}`;
/** The picture that a file of the store belongs to; empty for what is none of ours. */
export const pictureOf = (key: string): string => key.split("/").at(1) ?? "";

/** Where the picture process finds its open files: the picture it reads, and the first of those it writes. */
export const descriptors = { picture: 0, firstFile: 3 } as const;

/** The word with which it is started to say what memory it has reserved, instead of making a picture. */
export const measuring = "measuring";

/** What it says then: KiB that count as its memory though nothing stands in them, such as room for compiled code. */
export const reservation = z.object({ reserved: z.int().nonnegative() });

/**
 * What the picture process prints at its end: the original's size in pixels, after it was turned upright. `damaged`:
 * no picture can be made of the file. `failed`: it is not the file's fault.
 */
export const outcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("made"), width: z.int().positive(), height: z.int().positive() }),
  z.object({ kind: z.literal("damaged") }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);
export type Outcome = z.infer<typeof outcome>;
