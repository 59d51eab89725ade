import { preload } from "react-dom";
import type { Picture } from "#contract/auctions.ts";
import { type PictureFormat, pictureAddress, shownWidth, usefulWidths } from "#protocol/picture-files.ts";
import classes from "./product-picture.module.css";

type ProductPictureProps = {
  picture: Picture;
  /** How wide it is shown, as the `sizes` of an image: "(min-width: 48em) 20rem, 100vw". */
  sizes: string;
  alt: string;
  /** For what is seen first on its page; everything else is loaded when it comes near. */
  eager?: boolean;
  /** `high` for the one that is fetched before all others, `low` for those that can wait for everything else. */
  priority?: "high" | "low" | "auto";
};

/** The `srcset` of a picture in one of its formats. */
const sourcesOf = ({ id, width }: Picture, format: PictureFormat): string =>
  usefulWidths(width)
    .map((each) => `${pictureAddress(id, each, format)} ${shownWidth(each, width)}w`)
    .join(", ");

/** A picture of a product, in the width that fits: WebP, or JPEG where that is not known. It fills its positioned box. */
export function ProductPicture({
  picture,
  sizes,
  alt,
  eager = false,
  priority = "auto",
}: ProductPictureProps) {
  const webp = sourcesOf(picture, "webp");
  // In a page from the server it is asked for before everything else.
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
