import type { Picture } from "#contract/listed-products.ts";

/** Names a picture of a product, by its place where there are several. */
export const altOf = (name: string, pictures: readonly Picture[], picture: Picture): string =>
  pictures.length > 1 ? `${name}, picture ${pictures.indexOf(picture) + 1}` : name;
