import { preload } from "react-dom";
import type { Picture } from "#contract/listed-products.ts";
import { type PictureFormat, pictureAddress, shownWidth, usefulWidths } from "#protocol/picture-files.ts";
import classes from "./product-picture.module.css";

type ProductPictureProps = {
  picture: Picture;
  /** The width of its box by media condition; the last one has none. */
  sizes: readonly BoxWidth[];
  /** Shows the whole picture in its box; otherwise the picture fills the box and is cropped. */
  whole?: boolean;
  alt: string;
  /** Loads immediately, because it is visible first; other pictures load when they come near. */
  eager?: boolean;
  /** `high` for the picture that loads before all others, `low` for those that can wait for everything else. */
  priority?: "high" | "low" | "auto";
};

/** Returns the `srcset` of a picture in one of its formats. */
const sourcesOf = (picture: Picture, format: PictureFormat): string =>
  usefulWidths(picture)
    .map((each) => `${pictureAddress(picture.id, each, format)} ${shownWidth(each, picture)}w`)
    .join(", ");

/** A media condition, empty for none, and the CSS width of a picture's box. */
export type BoxWidth = readonly [media: string, width: string];

/** Boxes have a ratio of four to three. */
const boxShape = 4 / 3;

/** Returns the `sizes` of an image: a picture that fills its box and is flatter than the box is drawn wider. */
function drawnWidths(sizes: readonly BoxWidth[], { width, height }: Picture, whole: boolean): string {
  const times = whole ? 1 : Math.max(1, width / height / boxShape);
  return sizes.map(([media, box]) => `${media} calc((${box}) * ${times.toFixed(2)})`.trim()).join(", ");
}

/** A picture of a product in the fitting width: WebP, or JPEG for browsers without it. It fills its positioned box. */
export function ProductPicture({
  picture,
  sizes: boxes,
  whole = false,
  alt,
  eager = false,
  priority = "auto",
}: ProductPictureProps) {
  const sizes = drawnWidths(boxes, picture, whole);
  const webp = sourcesOf(picture, "webp");
  // In the server's HTML it is requested before everything else.
  if (priority === "high")
    preload(pictureAddress(picture.id, 800, "webp"), {
      as: "image",
      type: "image/webp",
      imageSrcSet: webp,
      imageSizes: sizes,
      fetchPriority: "high",
    });
  return (
    <picture className={classes.picture}>
      <source type="image/webp" srcSet={webp} sizes={sizes} />
      <img
        src={pictureAddress(picture.id, 800, "jpg")}
        srcSet={sourcesOf(picture, "jpg")}
        sizes={sizes}
        width={picture.width}
        height={picture.height}
        alt={alt}
        loading={eager ? "eager" : "lazy"}
        fetchPriority={priority}
        decoding="async"
      />
    </picture>
  );
}
