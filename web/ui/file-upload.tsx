import { IconCloudUpload } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { UploadState } from "../lib/upload-queue.ts";
import { Button, type ButtonVariants } from "./button.tsx";
import classes from "./file-upload.module.css";

type DropAreaProps = {
  label: string;
  /** The area's text, as in "Drop one or more documents here". */
  invitation: string;
  /** The files that are accepted, in words. */
  limits: string;
  accept: string;
  disabled: boolean;
  onFiles: (files: File[]) => void;
};

/** An area to drop files on, with a button to choose them. */
export function DropArea({ label, invitation, limits, accept, disabled, onFiles }: DropAreaProps) {
  const isOver = useDroppedFiles(onFiles);
  return (
    <section className={classes.area} data-over={(isOver && !disabled) || undefined} aria-label={label}>
      <IconCloudUpload size={36} stroke={1.4} className={classes.icon ?? ""} aria-hidden />
      <p className={classes.invitation}>{invitation}, or</p>
      <ChooseFile label="Choose files" accept={accept} multiple disabled={disabled} onChoose={onFiles}>
        Choose files
      </ChooseFile>
      <p className={classes.limits}>{limits}</p>
    </section>
  );
}

/**
 * Accepts files that are dropped anywhere on the page: dropped beside the area they would replace the page. Returns
 * whether files are being dragged over it.
 */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const drop = useEffectEvent(onFiles);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const listen = (name: "dragover" | "dragleave" | "drop", handle: (event: DragEvent) => void) =>
      window.addEventListener(name, handle, { signal });
    listen("dragover", (event) => {
      event.preventDefault();
      setOver(true);
    });
    // The pointer left the page, and not just one element of it for another.
    listen("dragleave", (event) => event.relatedTarget === null && setOver(false));
    listen("drop", (event) => {
      event.preventDefault();
      setOver(false);
      drop([...(event.dataTransfer?.files ?? [])]);
    });
    return () => controller.abort();
  }, []);
  return isOver;
}

type ChooseFileProps = ButtonVariants & {
  disabled?: boolean;
  /** The button's accessible name, for people who can't see its surroundings. */
  label: string;
  /** The file extensions that the device offers, in the format of an input's `accept`. */
  accept: string;
  multiple?: boolean;
  onChoose: (files: File[]) => void;
};

/** A button that opens the device's file picker. */
export function ChooseFile({ label, accept, multiple = false, onChoose, ...button }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // An empty value lets the same file be chosen again.
          currentTarget.value = "";
        }}
      />
      <Button variant="default" {...button} aria-label={label} onClick={() => input.current?.click()} />
    </>
  );
}

type UploadOutcomeProps = {
  state: UploadState;
  /** The file's name. */
  name: string;
  /** A note after 'Uploaded'. */
  note?: string;
};

/** The upload's progress, then 'Uploaded' or 'Error'. */
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
