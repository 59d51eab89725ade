/** The widths in pixels that a picture of a product is made ready in. */
export const pictureWidths = [320, 800, 1600] as const;
export type PictureWidth = (typeof pictureWidths)[number];
/** And the formats: WebP, and JPEG for browsers that do not know it. */
export const pictureFormats = ["webp", "jpg"] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** A picture that is more times higher than wide is made smaller as a whole. */
export const tallest = 4;

/** In pixels. */
type Size = { width: number; height: number };

/** How wide the file for a width is: nothing is enlarged, and nothing higher than `tallest` times the width. */
export const shownWidth = (width: PictureWidth, original: Size): number =>
  Math.min(
    width,
    original.width,
    Math.max(1, Math.round((width * tallest * original.width) / original.height)),
  );

/** The widths whose files differ: up to the first that has all of the original. */
export const usefulWidths = (original: Size): readonly PictureWidth[] =>
  pictureWidths.filter((_, at) => {
    const before = pictureWidths[at - 1];
    return before === undefined || shownWidth(before, original) < original.width;
  });

/** Where browsers find a picture. */
export const pictureAddress = (id: string, width: PictureWidth, format: PictureFormat): string =>
  `/pictures/${id}/${width}.${format}`;
