import { IconChevronLeft, IconChevronRight, IconLayoutGrid, IconX } from "@tabler/icons-react";
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Picture } from "#contract/listed-products.ts";
import { pictureAddress } from "#protocol/picture-files.ts";
import { IconButton } from "../../../ui/button.tsx";
import classes from "./enlarged-picture.module.css";
import { altOf } from "./picture-text.ts";
import { useTouchGestures } from "./touch-gestures.ts";

type EnlargedPictureProps = {
  name: string;
  pictures: readonly Picture[];
  /** The index of the current picture. */
  index: number;
  onChoose: (position: number) => void;
  onClose: () => void;
};

/**
 * The size of a picture: `fit` shows all of it, `full` its own size, and a number is a multiple of `fit`, set by a
 * pinch.
 */
type Zoom = "fit" | "full" | number;

const pictureOf = ({ id }: Picture) => pictureAddress(id, 1600, "webp");

/**
 * Pictures over the whole page: one as large as fits, or larger, and on a wide screen all of them side by side. Arrows,
 * Home and End, a swipe and the buttons switch between them.
 */
export default function EnlargedPicture({ name, pictures, index, onChoose, onClose }: EnlargedPictureProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [isOverview, setOverview] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const last = pictures.length - 1;
  const picture = pictures[index] ?? pictures[0];

  function show(position: number) {
    setZoom("fit");
    setOverview(false);
    onChoose(position);
  }
  const turn = (by: 1 | -1) => last > 0 && show((index + by + pictures.length) % pictures.length);

  function onKeyDown({ key }: KeyboardEvent) {
    // The arrows scroll a picture that is larger than the window.
    if (zoom !== "fit" || isOverview) return;
    if (key === "ArrowRight") turn(1);
    if (key === "ArrowLeft") turn(-1);
    if (key === "Home") show(0);
    if (key === "End") show(last);
  }

  if (!picture) return null;
  const label = altOf(name, pictures, picture);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className={classes.dialog}
      onKeyDown={onKeyDown}
      onClose={onClose}
    >
      <div className={classes.tools}>
        {last > 0 && (
          <>
            <output className={classes.place}>
              {index + 1} of {pictures.length}
            </output>
            <IconButton
              label="Show all pictures"
              className={classes.wideOnly ?? ""}
              aria-pressed={isOverview}
              onClick={() => setOverview(!isOverview)}
            >
              <IconLayoutGrid size={22} aria-hidden />
            </IconButton>
            <IconButton label="Previous picture" onClick={() => turn(-1)}>
              <IconChevronLeft size={24} aria-hidden />
            </IconButton>
            <IconButton label="Next picture" onClick={() => turn(1)}>
              <IconChevronRight size={24} aria-hidden />
            </IconButton>
          </>
        )}
        <IconButton label="Close" onClick={() => dialog.current?.close()}>
          <IconX size={22} aria-hidden />
        </IconButton>
      </div>
      {isOverview ? (
        <Overview name={name} pictures={pictures} onChoose={show} />
      ) : (
        <Stage picture={picture} alt={label} zoom={zoom} onZoom={setZoom} onTurn={turn} />
      )}
    </dialog>
  );
}

type StageProps = {
  picture: Picture;
  alt: string;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  onTurn: (by: 1 | -1) => void;
};

/** One picture, which a press or a pinch enlarges. */
function Stage({ picture, alt, zoom, onZoom, onTurn }: StageProps) {
  const gestures = useTouchGestures({
    scale: typeof zoom === "number" ? zoom : zoom === "full" ? 2 : 1,
    onSwipe: onTurn,
    onScale: (scale) => onZoom(scale === 1 ? "fit" : scale),
  });
  const size: CSSProperties & { "--scale"?: number } = typeof zoom === "number" ? { "--scale": zoom } : {};
  return (
    <div
      className={classes.stage}
      data-zoom={typeof zoom === "number" ? "scaled" : zoom}
      style={size}
      {...gestures}
    >
      <button
        type="button"
        className={classes.picture}
        aria-label={zoom === "fit" ? "Show full size" : "Fit to window"}
        onClick={() => onZoom(zoom === "fit" ? "full" : "fit")}
      >
        <img
          key={picture.id}
          src={pictureOf(picture)}
          width={picture.width}
          height={picture.height}
          alt={alt}
        />
      </button>
    </div>
  );
}

type OverviewProps = Pick<EnlargedPictureProps, "name" | "pictures" | "onChoose">;

/** All pictures side by side, to compare them. */
const Overview = ({ name, pictures, onChoose }: OverviewProps) => (
  <ul className={classes.overview} aria-label="All pictures">
    {pictures.map((picture, position) => (
      <li key={picture.id}>
        <button
          type="button"
          className={classes.picture}
          aria-label={`Enlarge picture ${position + 1}`}
          onClick={() => onChoose(position)}
        >
          <img
            src={pictureOf(picture)}
            width={picture.width}
            height={picture.height}
            alt={altOf(name, pictures, picture)}
          />
        </button>
      </li>
    ))}
  </ul>
);
