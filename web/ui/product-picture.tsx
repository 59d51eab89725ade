import type { Picture } from "#contract/auctions.ts";
import { type PictureFormat, pictureAddress, shownWidth, usefulWidths } from "#domain/auction-picture.ts";

type ProductPictureProps = {
  picture: Picture;
  /** How wide it is shown, as the `sizes` of an image: "(min-width: 48em) 20rem, 100vw". */
  sizes: string;
  alt: string;
  /** For what is seen first on its page; everything else is loaded when it comes near. */
  eager?: boolean;
  /** `high` for the one that is fetched before all others, `low` for those that can wait for everything else. */
  priority?: "high" | "low" | "auto";
  className?: string | undefined;
};

/** The `srcset` of a picture in one of its formats. */
export const sourcesOf = ({ id, width }: Picture, format: PictureFormat): string =>
  usefulWidths(width)
    .map((each) => `${pictureAddress(id, each, format)} ${shownWidth(each, width)}w`)
    .join(", ");

/** A picture of a product, in the width that fits: WebP, or JPEG where that is not known. */
export function ProductPicture({
  picture,
  sizes,
  alt,
  eager = false,
  priority = "auto",
  className,
}: ProductPictureProps) {
  return (
    <picture>
      <source type="image/webp" srcSet={sourcesOf(picture, "webp")} sizes={sizes} />
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
        className={className}
      />
    </picture>
  );
}
