import type { PictureFormat, PictureWidth } from "#protocol/picture-files.ts";

/** Where the store keeps pictures: a folder for each, in it a file for each width and format. */
export const picturesFolder = "auction-images";
export const folderOf = (id: string): string => `${picturesFolder}/${id}`;
export const keyOf = (id: string, width: PictureWidth, format: PictureFormat): string =>
  `${folderOf(id)}/${width}.${format}`;
/** The picture that a file of the store belongs to; empty for what is none of ours. */
export const pictureOf = (key: string): string => key.split("/").at(1) ?? "";
