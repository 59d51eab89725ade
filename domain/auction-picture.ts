import { type FileProblem, type FileRefusal, fileRules } from "#domain/file-rules.ts";

/** What a picture of a product may be, recognised by its content. */
export const pictureTypes = ["image/jpeg", "image/png", "image/webp"] as const;

const rules = fileRules({
  types: pictureTypes,
  accepted: "JPEG, PNG or WebP",
  bytes: 10 * 1024 * 1024,
  noun: "picture",
  image: "picture",
});
export const {
  limits: pictureLimits,
  sizeProblem: pictureFileProblem,
  startProblem: pictureStartProblem,
  imageProblem: pictureSizeProblem,
} = rules;

/** Why a picture is not taken. `damaged`: its decoder warned of gaps. */
export type PictureProblem = FileProblem | "damaged";
export const pictureRefusal: Record<PictureProblem, FileRefusal> = {
  ...rules.refusal,
  damaged: rules.refusal.noSize,
};

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

/** More pictures wait to be made ready than there is room for. */
export const crowdedPictures = "We're working on a lot of pictures right now. Please try again in a moment.";
