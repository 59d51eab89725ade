import { IconPhoto } from "@tabler/icons-react";
import { useState } from "react";
import type { Picture } from "#contract/auctions.ts";
import { ProductPicture, sourcesOf } from "../../../ui/product-picture.tsx";
import classes from "./gallery.module.css";

type GalleryProps = { name: string; pictures: readonly Picture[] };

/** How wide the large picture is shown. */
export const gallerySizes = "(min-width: 62em) 48rem, calc(100vw - 2.5rem)";

/** Fetches what the page shows largest. */
export function preloadPicture([first]: readonly Picture[]): void {
  if (first) Object.assign(new Image(), { sizes: gallerySizes, srcset: sourcesOf(first, "webp") });
}

/** All pictures of a product: one large, the others a press away. */
export function Gallery({ name, pictures }: GalleryProps) {
  const [chosen, setChosen] = useState(0);
  const shown = pictures[chosen] ?? pictures[0];
  return (
    <div className={classes.gallery}>
      <div className={classes.stage}>
        {shown ? (
          <ProductPicture
            key={shown.id}
            eager
            priority="high"
            picture={shown}
            sizes={gallerySizes}
            alt={pictures.length > 1 ? `${name}, picture ${pictures.indexOf(shown) + 1}` : name}
          />
        ) : (
          <IconPhoto size={64} stroke={1} className={classes.none} aria-label="No picture" />
        )}
      </div>
      {pictures.length > 1 && (
        <ul className={classes.thumbnails} aria-label="Pictures">
          {pictures.map((picture, place) => (
            <li key={picture.id}>
              <button
                type="button"
                className={classes.thumbnail}
                aria-label={`Show picture ${place + 1}`}
                aria-pressed={picture === shown}
                onClick={() => setChosen(place)}
              >
                <ProductPicture picture={picture} sizes="4.5rem" alt="" priority="low" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
