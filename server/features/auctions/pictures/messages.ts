import { z } from "zod";
import { pictureFormats, pictureWidths } from "#domain/auction-picture.ts";

/** Asks the picture process to make the file at a path ready; what it makes stands beside it. */
export const task = z.object({ number: z.number(), draft: z.string() });
export type Task = z.infer<typeof task>;

/**
 * What came of it: the original's size in pixels, after it was turned upright. `damaged`: no picture can be made of
 * the file. `failed`: it is not the file's fault.
 */
export const result = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("made"), number: z.number(), width: z.number(), height: z.number() }),
  z.object({ kind: z.literal("damaged"), number: z.number() }),
  z.object({ kind: z.literal("failed"), number: z.number(), message: z.string() }),
]);
export type Result = z.infer<typeof result>;

/** The files of a picture: every width in every format, such as 800.webp. */
export const pictureFiles = pictureWidths.flatMap((width) =>
  pictureFormats.map((format) => ({ width, format, name: `${width}.${format}` }) as const),
);

/** Where a file stands that was made of a draft. */
export const madeFrom = (draft: string, name: string): string => `${draft}.${name}`;
