import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ChosenFileItem } from "./chosen-file.tsx";
import classes from "./chosen-files.module.css";
import type { QueueState, UploadQueue } from "./upload-queue.ts";

const files = (number: number) => (number === 1 ? "1 file" : `${number} files`);

/** The files that wait for their upload or went through it, with a slot for each. */
export function ChosenFiles({ queue, state }: { queue: UploadQueue; state: QueueState }) {
  const { items, busy, leftOut, allUploaded } = state;
  if (items.length === 0) return null;
  const open = items.filter((item) => item.state.kind !== "uploaded").length;
  return (
    <section className={classes.chosen} aria-labelledby="chosen-files">
      <h2 id="chosen-files" className={classes.title}>
        Chosen files
      </h2>
      <ul className={classes.list}>
        {items.map((item) => (
          <ChosenFileItem key={item.id} item={item} queue={queue} busy={busy} />
        ))}
      </ul>
      {leftOut > 0 && (
        <Notice>
          There are six slots: {files(leftOut)} {leftOut === 1 ? "was" : "were"} left out.
        </Notice>
      )}
      {allUploaded && <Notice kind="success">All documents uploaded successfully!</Notice>}
      {open > 0 && (
        <div>
          <Button size="md" disabled={busy} onClick={() => void queue.submit()}>
            {busy ? "Uploading..." : `Upload ${files(open)}`}
          </Button>
        </div>
      )}
    </section>
  );
}
