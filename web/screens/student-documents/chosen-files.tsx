import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { DocumentFile, DocumentSlot } from "#contract/documents.ts";
import { documentKinds, documentLabel } from "#domain/document.ts";
import { countsAsUploaded, missingDocuments } from "#domain/progress.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { formatSize } from "../../lib/format-size.ts";
import { isOpen, type QueueState } from "../../lib/upload-queue.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { UploadOutcome } from "../../ui/file-upload.tsx";
import { Select } from "../../ui/form/fields.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type ChosenFile, type DocumentQueue, isReady } from "./document-queue.ts";
import classes from "./documents.module.css";
import { statesOf } from "./slot-row.tsx";

const files = (number: number) => (number === 1 ? "1 file" : `${number} files`);

type ChosenFilesProps = {
  queue: DocumentQueue;
  state: QueueState<ChosenFile>;
  slots: readonly DocumentSlot[];
};

/** The files that wait for their upload or were uploaded, with a slot for each. */
export function ChosenFiles({ queue, state, slots }: ChosenFilesProps) {
  const { items, busy, leftOut } = state;
  const [isAsking, setAsking] = useState(false);
  if (items.length === 0) return null;
  const currentOf = (item: ChosenFile) => slots.find(({ kind }) => kind === item.slot)?.current ?? null;
  const ready = items.filter(isReady);
  const question = replacing(
    ready.map((item) => ({ ...item, replaced: item.meant ? null : currentOf(item) })),
  );
  return (
    <section className={classes.chosen} aria-labelledby="chosen-files">
      <h2 id="chosen-files" className={classes.title}>
        Chosen files
      </h2>
      <ul className={classes.list}>
        {items.map((item) => (
          <ChosenFileItem key={item.id} item={item} replaced={currentOf(item)} queue={queue} busy={busy} />
        ))}
      </ul>
      {leftOut > 0 && (
        <Notice>
          There are six slots: {files(leftOut)} {leftOut === 1 ? "was" : "were"} left out.
        </Notice>
      )}
      <Outcome state={state} slots={slots} />
      {(busy || ready.length > 0) && (
        <div>
          <Button
            size="md"
            disabled={busy}
            onClick={() => (question ? setAsking(true) : void queue.submit())}
          >
            {busy ? "Uploading..." : `Upload ${files(ready.length)}`}
          </Button>
        </div>
      )}
      <ConfirmModal
        question={isAsking ? question : null}
        onConfirm={() => {
          setAsking(false);
          void queue.submit();
        }}
        onCancel={() => setAsking(false)}
      />
    </section>
  );
}

const slotChoices = documentKinds.map((kind) => ({ value: kind, label: documentLabel[kind] }));
const noSlot = { value: "", label: "Choose a slot" };

type ChosenFileItemProps = {
  item: ChosenFile;
  /** The slot's current document, or null. */
  replaced: DocumentFile | null;
  queue: DocumentQueue;
  busy: boolean;
};

/** One chosen file: its slot until the upload, then the result. */
function ChosenFileItem({ item, replaced, queue, busy }: ChosenFileItemProps) {
  const { id, file, slot, state } = item;
  return (
    <li
      ref={passFocusOn}
      className={classes.item}
      data-refused={state.kind === "refused" || undefined}
      aria-label={file.name}
    >
      <p className={classes.name}>
        {file.name} <span className={classes.size}>{formatSize(file.size)}</span>
      </p>
      {(isOpen(item) || state.kind === "uploading") && (
        <Select
          aria-label={`Slot for ${file.name}`}
          data={slot === null ? [noSlot, ...slotChoices] : slotChoices}
          value={slot ?? ""}
          disabled={busy}
          onChange={({ currentTarget: { value } }) => {
            const kind = documentKinds.find((each) => each === value);
            if (kind) queue.assign(id, kind);
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

/** The result of the last upload, once it is over. */
function Outcome({ state, slots }: Pick<ChosenFilesProps, "state" | "slots">) {
  const { busy, uploaded, items } = state;
  if (busy || uploaded === 0) return null;
  const missing = missingDocuments(statesOf(slots)).length;
  const isAll = missing === 0 && items.every((item) => item.state.kind === "uploaded");
  if (isAll) return <Notice kind="success">All documents uploaded successfully!</Notice>;
  return (
    <Notice kind="success">
      {uploaded === 1 ? "1 document" : `${uploaded} documents`} uploaded
      {missing > 0 && `, ${missing} still missing`}
    </Notice>
  );
}

type Replacement = { slot: ChosenFile["slot"]; file: File; replaced: DocumentFile | null };

/** Returns the question to ask before documents that aren't rejected are replaced; null if there are none. */
function replacing(items: readonly Replacement[]) {
  const replacements = items.flatMap(({ slot, file, replaced }) =>
    slot && replaced && countsAsUploaded(replaced.state)
      ? [{ label: documentLabel[slot], file, replaced }]
      : [],
  );
  const [first] = replacements;
  if (!first) return null;
  const changes = replacements.map(
    ({ label, file, replaced }) => `${label}: ${file.name} instead of ${replaced.name}`,
  );
  return {
    title:
      replacements.length === 1
        ? `Replace your ${first.label}?`
        : `Replace ${replacements.length} documents?`,
    text: `${changes.join("; ")}.`,
    action: replacements.length === 1 ? "Replace" : "Replace them",
    harmless: true,
  };
}
