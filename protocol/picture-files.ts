/** The widths in pixels that a picture of a product is made ready in. */
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
