import { useId } from "react";
import { auctionLimits, auctionTexts } from "#domain/auction.ts";
import { pictureLimits } from "#domain/auction-picture.ts";
import type { QueueState } from "../../../lib/upload-queue.ts";
import { DropArea } from "../../../ui/drop-area.tsx";
import { useForm } from "../../../ui/form/form.tsx";
import { Announcement } from "../product/announcement.tsx";
import { ChosenPictureItem } from "./chosen-picture.tsx";
import type { ChosenPicture, PictureQueue } from "./picture-queue.ts";
import classes from "./pictures.module.css";

const limits = `JPEG, PNG or WebP, at most ${pictureLimits.bytes / 1024 / 1024} MB and ${
  pictureLimits.pixels / 1_000_000
} megapixels each`;

/** 1 to 5 pictures of the product: dropped or chosen, looked at, put in order. */
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
          {items.map((item, place) => (
            <ChosenPictureItem key={item.id} item={item} place={place} number={items.length} queue={queue} />
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
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** What the form found wrong with the pictures, until there are no longer too few or too many. */
function useProblem(number: number): string | null {
  const { failure } = useForm();
  if (failure?.field !== "images") return null;
  if (failure.message === auctionTexts.noImage && number > 0) return null;
  if (failure.message === auctionTexts.tooManyImages && number <= auctionLimits.images) return null;
  return failure.message;
}
