/** Widths in pixels in which each picture of a product is stored. */
export const pictureWidths = [320, 800, 1600] as const;
export type PictureWidth = (typeof pictureWidths)[number];
/** Formats in which each picture is stored: WebP, and JPEG for browsers that don't support it. */
export const pictureFormats = ["webp", "jpg"] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** Greatest height of a picture as a multiple of its width. Taller ones are scaled down. */
export const tallest = 4;

/** A size in pixels. */
type Size = { width: number; height: number };

/** Returns the real width of a width's file. It is never enlarged, nor higher than `tallest` times the width. */
export const shownWidth = (width: PictureWidth, original: Size): number =>
  Math.min(
    width,
    original.width,
    Math.max(1, Math.round((width * tallest * original.width) / original.height)),
  );

/** Lists the widths whose files differ: up to the first that has the original's width. */
export const usefulWidths = (original: Size): readonly PictureWidth[] =>
  pictureWidths.filter((_, at) => {
    const before = pictureWidths[at - 1];
    return before === undefined || shownWidth(before, original) < original.width;
  });

export const pictureAddress = (id: string, width: PictureWidth, format: PictureFormat): string =>
  `/pictures/${id}/${width}.${format}`;
