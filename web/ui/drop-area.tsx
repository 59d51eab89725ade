import { IconCloudUpload } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { ChooseFile } from "./choose-file.tsx";
import classes from "./drop-area.module.css";

type DropAreaProps = {
  label: string;
  /** What is dropped here, as in "Drop one or more documents here". */
  invitation: string;
  /** Which files are taken. */
  limits: string;
  accept: string;
  disabled: boolean;
  onFiles: (files: File[]) => void;
};

/** Where files are dropped, one or several, or chosen. */
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
 * Files that are dropped anywhere on the page: beside an area they would replace the page. Says whether something
 * is held over it.
 */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const drop = useEffectEvent(onFiles);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const listen = (name: "dragover" | "dragleave" | "drop", handle: (event: DragEvent) => void) =>
      window.addEventListener(name, handle, { signal });
    listen("dragover", (event) => {
      event.preventDefault();
      setOver(true);
    });
    // Left the page, and not just one element of it for another.
    listen("dragleave", (event) => event.relatedTarget === null && setOver(false));
    listen("drop", (event) => {
      event.preventDefault();
      setOver(false);
      drop([...(event.dataTransfer?.files ?? [])]);
    });
    return () => listening.abort();
  }, []);
  return isOver;
}
