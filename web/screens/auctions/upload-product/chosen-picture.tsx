import { IconArrowLeft, IconArrowRight, IconPhotoOff, IconX } from "@tabler/icons-react";
import { formatSize } from "../../../lib/format-size.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { UploadOutcome } from "../../../ui/upload-outcome.tsx";
import type { ChosenPicture, PictureQueue } from "./picture-queue.ts";
import classes from "./pictures.module.css";

/** It can't go further this way. The button keeps the focus that a disabled one would lose. */
const atEnd = { "aria-disabled": true, "data-disabled": true };

type ChosenPictureItemProps = {
  item: ChosenPicture;
  /** Its place, from 0, and how many there are. */
  place: number;
  number: number;
  queue: PictureQueue;
};

/** One chosen picture: what it looks like, its place, and how its upload goes. */
export function ChosenPictureItem({ item, place, number, queue }: ChosenPictureItemProps) {
  const { id, file, preview, state } = item;
  return (
    <li className={classes.item} aria-label={file.name}>
      <div className={classes.frame}>
        <IconPhotoOff size={28} stroke={1} aria-hidden />
        <img
          src={preview}
          alt=""
          width={240}
          height={180}
          className={classes.preview}
          onError={({ currentTarget }) => currentTarget.remove()}
        />
        {place === 0 && <span className={classes.first}>Shown first</span>}
      </div>
      <p className={classes.name}>
        {file.name} <span className={classes.size}>{formatSize(file.size)}</span>
      </p>
      <div className={classes.actions}>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Move earlier: ${file.name}`}
          {...(place === 0 && atEnd)}
          onClick={() => queue.move(id, -1)}
        >
          <IconArrowLeft size={16} stroke={1.8} aria-hidden />
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Move later: ${file.name}`}
          {...(place === number - 1 && atEnd)}
          onClick={() => queue.move(id, 1)}
        >
          <IconArrowRight size={16} stroke={1.8} aria-hidden />
        </Button>
        <IconButton
          label={`Remove ${file.name}`}
          className={classes.remove ?? ""}
          onClick={() => queue.remove(id)}
        >
          <IconX size={18} stroke={1.6} aria-hidden />
        </IconButton>
      </div>
      <UploadOutcome state={state} name={file.name} />
    </li>
  );
}
