import { IconCloudUpload } from "@tabler/icons-react";
import { documentLimits } from "#domain/document.ts";
import { ChooseFile } from "./choose-file.tsx";
import classes from "./drop-area.module.css";
import { useDroppedFiles } from "./use-dropped-files.ts";

type DropAreaProps = { disabled: boolean; onFiles: (files: File[]) => void };

/** Where files are dropped, one or several, or chosen. */
export function DropArea({ disabled, onFiles }: DropAreaProps) {
  const isOver = useDroppedFiles(onFiles);
  return (
    <section
      className={classes.area}
      data-over={(isOver && !disabled) || undefined}
      aria-label="Add documents"
    >
      <IconCloudUpload size={36} stroke={1.4} className={classes.icon ?? ""} aria-hidden />
      <p className={classes.invitation}>Drop your documents here, several at once if you like, or</p>
      <ChooseFile label="Choose files" multiple disabled={disabled} onChoose={onFiles}>
        Choose files
      </ChooseFile>
      <p className={classes.limits}>PDF, JPEG or PNG, at most {documentLimits.bytes / 1024 / 1024} MB each</p>
    </section>
  );
}
