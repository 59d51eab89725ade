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

/** Returns the folder in the store for a picture's files, one for each width and format. */
export const folderOf = (id: string): string => `auction-images/${id}`;
export const keyOf = (id: string, width: PictureWidth, format: PictureFormat): string =>
  `${folderOf(id)}/${width}.${format}`;

/**
 * The file descriptors of the picture process: the picture that it reads, and the first of the files that it writes.
 */
export const descriptors = { picture: 0, firstFile: 3 } as const;

/** The argument that makes the process report its reserved memory instead of making a picture. */
export const measuring = "measuring";

/** The report: KiB that count as the process's memory although they are empty, such as room for compiled code. */
export const reservation = z.object({ reserved: z.int().nonnegative() });

/**
 * The output of the picture process: the original's size in pixels, after it was turned upright. `damaged`: no picture
 * can be made of the file. `failed`: the cause is not the file.
 */
export const outcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("made"), width: z.int().positive(), height: z.int().positive() }),
  z.object({ kind: z.literal("damaged") }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);
export type Outcome = z.infer<typeof outcome>;
