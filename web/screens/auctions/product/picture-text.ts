import type { Picture } from "#contract/listed-products.ts";

/** Returns a picture's alternative text, with its number if there are several. */
export const altOf = (name: string, pictures: readonly Picture[], picture: Picture): string =>
  pictures.length > 1 ? `${name}, picture ${pictures.indexOf(picture) + 1}` : name;
