import { IconCloudUpload } from "@tabler/icons-react";
import { useDroppedFiles } from "../lib/use-dropped-files.ts";
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
