import { IconPhoto, IconZoomIn } from "@tabler/icons-react";
import { Suspense, useRef, useState } from "react";
import type { Picture } from "#contract/listed-products.ts";
import { useHydrated } from "../../../lib/hydration.ts";
import { late } from "../../../ui/late.tsx";
import { type BoxWidth, ProductPicture } from "../../../ui/product-picture.tsx";
import classes from "./gallery.module.css";
import { altOf } from "./picture-text.ts";

/** Lazy-loaded, because most people never enlarge a picture. */
const EnlargedPicture = late(() => import("./enlarged-picture.tsx"));

type GalleryProps = { name: string; pictures: readonly Picture[] };

/** The widths of the large picture. */
const gallerySizes: readonly BoxWidth[] = [
  ["(min-width: 62em)", "48rem"],
  ["", "100vw - 2.5rem"],
];

/** All pictures of a product: one large, the others one click away. */
export function Gallery({ name, pictures }: GalleryProps) {
  const [index, setIndex] = useState(0);
  const [enlarged, setEnlarged] = useState(false);
  const enlarge = useRef<HTMLButtonElement>(null);
  const hydrated = useHydrated();
  const current = pictures[index] ?? pictures[0];
  return (
    <div className={classes.gallery}>
      <div className={classes.stage}>
        {current ? (
          <>
            <ProductPicture
              key={current.id}
              eager
              priority="high"
              picture={current}
              whole
              sizes={gallerySizes}
              alt={altOf(name, pictures, current)}
            />
            <button
              ref={enlarge}
              type="button"
              className={classes.enlarge}
              aria-label="Enlarge picture"
              disabled={!hydrated}
              onClick={() => setEnlarged(true)}
            >
              <IconZoomIn size={20} stroke={1.6} aria-hidden />
            </button>
          </>
        ) : (
          <IconPhoto size={64} stroke={1} className={classes.none} aria-label="No picture" />
        )}
      </div>
      {enlarged && current && (
        <Suspense>
          <EnlargedPicture
            name={name}
            pictures={pictures}
            index={pictures.indexOf(current)}
            onChoose={setIndex}
            onClose={() => {
              setEnlarged(false);
              enlarge.current?.focus();
            }}
          />
        </Suspense>
      )}
      {pictures.length > 1 && (
        <ul className={classes.thumbnails} aria-label="Pictures">
          {pictures.map((picture, place) => (
            <li key={picture.id}>
              <button
                type="button"
                className={classes.thumbnail}
                aria-label={`Show picture ${place + 1}`}
                aria-pressed={picture === current}
                disabled={!hydrated}
                onClick={() => setIndex(place)}
              >
                <ProductPicture picture={picture} sizes={[["", "4.5rem"]]} alt="" priority="low" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
