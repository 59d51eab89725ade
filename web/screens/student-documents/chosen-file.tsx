import "@mantine/core/styles/Input.css";
import { NativeSelect } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { documentKinds, documentLabel } from "#domain/document.ts";
import { formatSize } from "../../lib/format-size.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { UploadOutcome } from "../../ui/upload-outcome.tsx";
import classes from "./chosen-files.module.css";
import type { ChosenFile, UploadQueue } from "./upload-queue.ts";

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
      <UploadOutcome state={state} name={file.name} note={`as ${documentLabel[slot]}`} />
    </li>
  );
}
