import type { UploadState } from "../lib/upload-queue.ts";
import classes from "./upload-outcome.module.css";

type UploadOutcomeProps = {
  state: UploadState;
  /** The file's. */
  name: string;
  /** What stands after 'Uploaded'. */
  note?: string;
};

/** 'Uploaded' or 'Error' for a file, and the way there. */
export function UploadOutcome({ state, name, note }: UploadOutcomeProps) {
  switch (state.kind) {
    case "chosen":
      return null;
    case "uploading":
      return (
        <p className={classes.outcome}>
          <progress
            className={classes.progress}
            max={1}
            value={state.share}
            aria-label={`Upload of ${name}`}
          />
          <span className="tabular">{Math.round(state.share * 100)}%</span>
        </p>
      );
    case "uploaded":
      return (
        <output className={classes.outcome} data-kind="uploaded">
          <strong>Uploaded</strong> {note !== undefined && <span>{note}</span>}
        </output>
      );
    case "error":
    case "refused":
      return (
        <p className={classes.outcome} data-kind="error" role="alert">
          <strong>Error</strong> <span>{state.message}</span>
        </p>
      );
  }
}
