import { IconArrowLeft, IconArrowRight, IconPhotoOff, IconX } from "@tabler/icons-react";
import { useId } from "react";
import { auctionLimits, auctionTexts } from "#domain/auction.ts";
import { pictureLimits } from "#domain/auction-picture.ts";
import { passFocusOn } from "../../../lib/focus.ts";
import { formatSize } from "../../../lib/format-size.ts";
import type { QueueState } from "../../../lib/upload-queue.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { DropArea, UploadOutcome } from "../../../ui/file-upload.tsx";
import { useForm } from "../../../ui/form/form.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Announcement } from "../product/announcement.tsx";
import type { ChosenPicture, PictureQueue } from "./picture-queue.ts";
import classes from "./pictures.module.css";

const limits = `JPEG, PNG or WebP, at most ${pictureLimits.bytes / 1024 / 1024} MB and ${
  pictureLimits.pixels / 1_000_000
} megapixels each`;

/** The product's 1 to 5 pictures, to drop or choose, preview and sort. */
export function Pictures({ queue, state }: { queue: PictureQueue; state: QueueState<ChosenPicture> }) {
  const titleId = useId();
  const { busy } = useForm();
  const problem = useProblem(state.items.length);
  const { items } = state;
  return (
    <section className={classes.pictures} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        Pictures
        <span className={classes.count}>
          {items.length} of {auctionLimits.images}
        </span>
      </h2>
      {items.length > 0 && (
        <ul className={classes.list}>
          {items.map((item, position) => (
            <ChosenPictureItem
              key={item.id}
              item={item}
              position={position}
              number={items.length}
              queue={queue}
            />
          ))}
        </ul>
      )}
      <Announcement text={`Pictures in order: ${items.map(({ file }) => file.name).join(", ") || "none"}`} />
      <DropArea
        label="Add pictures"
        invitation={`Drop up to ${auctionLimits.images} pictures here`}
        limits={limits}
        accept=".jpg,.jpeg,.png,.webp"
        disabled={busy}
        onFiles={(files) => queue.add(files)}
      />
      {state.leftOut > 0 && (
        <Notice>
          An item can have {auctionLimits.images} pictures: {state.leftOut} of those you chose{" "}
          {state.leftOut === 1 ? "was" : "were"} left out.
        </Notice>
      )}
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** Returns the form's error about the pictures, until there are no longer too few or too many. */
function useProblem(number: number): string | null {
  const { failure } = useForm();
  if (failure?.field !== "images") return null;
  if (failure.message === auctionTexts.noImage && number > 0) return null;
  if (failure.message === auctionTexts.tooManyImages && number <= auctionLimits.images) return null;
  return failure.message;
}

type ChosenPictureItemProps = {
  item: ChosenPicture;
  /** `position` counts from 0; `number` is the total. */
  position: number;
  number: number;
  queue: PictureQueue;
};

/** One chosen picture: preview, position and upload state. */
function ChosenPictureItem({ item, position, number, queue }: ChosenPictureItemProps) {
  const { id, file, preview, state } = item;
  return (
    <li ref={passFocusOn} className={classes.item} aria-label={file.name}>
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
        {position === 0 && <span className={classes.first}>Shown first</span>}
      </div>
      <p className={classes.name}>
        {file.name} {file.size > 0 && <span className={classes.size}>{formatSize(file.size)}</span>}
      </p>
      <div className={classes.actions}>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Move earlier: ${file.name}`}
          disabled={position === 0}
          onClick={() => queue.move(id, -1)}
        >
          <IconArrowLeft size={16} stroke={1.8} aria-hidden />
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Move later: ${file.name}`}
          disabled={position === number - 1}
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
