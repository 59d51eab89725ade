import "@mantine/core/styles/Input.css";
import { NativeSelect } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type DocumentKind, documentKinds, documentLabel } from "#domain/document.ts";
import { formatSize } from "../../lib/format-size.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import classes from "./chosen-files.module.css";
import type { ChosenFile, UploadQueue, UploadState } from "./upload-queue.ts";

const slots = documentKinds.map((kind) => ({ value: kind, label: documentLabel[kind] }));

type ChosenFileItemProps = { item: ChosenFile; queue: UploadQueue; busy: boolean };

/** One chosen file: its slot until it is uploaded, then how it went. */
export function ChosenFileItem({ item, queue, busy }: ChosenFileItemProps) {
  const { id, file, slot, state } = item;
  return (
    <li className={classes.item} aria-label={file.name}>
      <p className={classes.name}>
        {file.name} <span className={classes.size}>{formatSize(file.size)}</span>
      </p>
      {state.kind !== "uploaded" && (
        <>
          <NativeSelect
            aria-label={`Slot for ${file.name}`}
            data={slots}
            value={slot}
            disabled={busy}
            onChange={({ currentTarget: { value } }) => {
              const chosen = documentKinds.find((kind) => kind === value);
              if (chosen) queue.assign(id, chosen);
            }}
          />
          <IconButton label={`Remove ${file.name}`} disabled={busy} onClick={() => queue.remove(id)}>
            <IconX size={18} stroke={1.6} aria-hidden />
          </IconButton>
        </>
      )}
      <Outcome state={state} name={file.name} slot={slot} />
    </li>
  );
}

/** 'Uploaded' or 'Error' for each file (spec 2, 8), and the way there. */
function Outcome({ state, name, slot }: { state: UploadState; name: string; slot: DocumentKind }) {
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
          <strong>Uploaded</strong> <span>as {documentLabel[slot]}</span>
        </output>
      );
    case "error":
      return (
        <p className={classes.outcome} data-kind="error" role="alert">
          <strong>Error</strong> <span>{state.message}</span>
        </p>
      );
  }
}
