import { IconX } from "@tabler/icons-react";
import type { DocumentFile } from "#contract/documents.ts";
import { documentKinds, documentLabel } from "#domain/document.ts";
import { formatSize } from "../../lib/format-size.ts";
import { isOpen } from "../../lib/upload-queue.ts";
import { Select } from "../../ui/form/controls.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { UploadOutcome } from "../../ui/upload-outcome.tsx";
import classes from "./chosen-files.module.css";
import type { ChosenFile, DocumentQueue } from "./document-queue.ts";

const slots = documentKinds.map((kind) => ({ value: kind, label: documentLabel[kind] }));
const noSlot = { value: "", label: "Choose a slot" };

type ChosenFileItemProps = {
  item: ChosenFile;
  /** What is in its slot now. */
  replaced: DocumentFile | null;
  queue: DocumentQueue;
  busy: boolean;
};

/** One chosen file: its slot until it is uploaded, then how it went. */
export function ChosenFileItem({ item, replaced, queue, busy }: ChosenFileItemProps) {
  const { id, file, slot, state } = item;
  return (
    <li className={classes.item} data-refused={state.kind === "refused" || undefined} aria-label={file.name}>
      <p className={classes.name}>
        {file.name} <span className={classes.size}>{formatSize(file.size)}</span>
      </p>
      {(isOpen(item) || state.kind === "uploading") && (
        <Select
          aria-label={`Slot for ${file.name}`}
          data={slot === null ? [noSlot, ...slots] : slots}
          value={slot ?? ""}
          disabled={busy}
          onChange={({ currentTarget: { value } }) => {
            const chosen = documentKinds.find((kind) => kind === value);
            if (chosen) queue.assign(id, chosen);
          }}
        />
      )}
      {state.kind !== "uploaded" && (
        <IconButton
          label={`Remove ${file.name}`}
          className={classes.remove ?? ""}
          disabled={busy}
          onClick={() => queue.remove(id)}
        >
          <IconX size={18} stroke={1.6} aria-hidden />
        </IconButton>
      )}
      {isOpen(item) && replaced && <p className={classes.note}>Replaces {replaced.name}</p>}
      {isOpen(item) && slot === null && <p className={classes.note}>Which document is this?</p>}
      <UploadOutcome
        state={state}
        name={file.name}
        {...(slot !== null && { note: `as ${documentLabel[slot]}` })}
      />
    </li>
  );
}
