import { IconChevronLeft, IconChevronRight, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Picture } from "#contract/listed-products.ts";
import { pictureAddress } from "#protocol/picture-files.ts";
import { IconButton } from "../../../ui/button.tsx";
import classes from "./enlarged-picture.module.css";

type EnlargedPictureProps = {
  picture: Picture;
  alt: string;
  /** Goes to the next picture (1) or the previous one (-1); null if there is only one. */
  onTurn: ((by: 1 | -1) => void) | null;
  onClose: () => void;
};

/** A picture over the whole page: as large as fits, or in its own size when clicked. */
export default function EnlargedPicture({ picture, alt, onTurn, onClose }: EnlargedPictureProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [zoomed, setZoomed] = useState<string | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const isZoomed = zoomed === picture.id;

  function onKeyDown({ key }: KeyboardEvent) {
    // While zoomed, the arrows move the picture.
    if (isZoomed) return;
    if (key === "ArrowRight") onTurn?.(1);
    if (key === "ArrowLeft") onTurn?.(-1);
  }

  return (
    <dialog ref={dialog} aria-label={alt} className={classes.dialog} onKeyDown={onKeyDown} onClose={onClose}>
      <div className={classes.tools}>
        {onTurn && (
          <>
            <IconButton label="Previous picture" onClick={() => onTurn(-1)}>
              <IconChevronLeft size={24} aria-hidden />
            </IconButton>
            <IconButton label="Next picture" onClick={() => onTurn(1)}>
              <IconChevronRight size={24} aria-hidden />
            </IconButton>
          </>
        )}
        <IconButton label="Close" onClick={() => dialog.current?.close()}>
          <IconX size={22} aria-hidden />
        </IconButton>
      </div>
      <div className={classes.stage} data-zoomed={isZoomed || undefined}>
        <button
          type="button"
          className={classes.picture}
          aria-label={isZoomed ? "Fit to window" : "Show full size"}
          onClick={() => setZoomed(isZoomed ? null : picture.id)}
        >
          <img
            key={picture.id}
            src={pictureAddress(picture.id, 1600, "webp")}
            width={picture.width}
            height={picture.height}
            alt={alt}
          />
        </button>
      </div>
    </dialog>
  );
}
