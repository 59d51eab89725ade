import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { DocumentFile, DocumentSlot } from "#contract/documents.ts";
import { type DocumentKind, documentLabel } from "#domain/document.ts";
import { decideMove } from "#domain/document-slots.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Field, Select } from "../../ui/form/fields.tsx";

type MisplacedDialogProps = {
  slots: readonly DocumentSlot[];
  /** The slot with the misplaced file; null: closed. */
  kind: DocumentKind | null;
  onClose: () => void;
};

/** Corrects a file in the wrong slot: moves it, swaps it with another, or removes it. */
export function MisplacedDialog({ slots, kind, onClose }: MisplacedDialogProps) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ file: { id: documentId }, to }: { file: DocumentFile; to: DocumentKind | null }) =>
      to === null ? rpc.documents.takeBack({ documentId }) : rpc.documents.move({ documentId, to }),
    onSuccess: (_answer, { file, to }) =>
      announce(to ? `${file.name} is now your ${documentLabel[to]}.` : `${file.name} removed.`),
    onSettled: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: api.documents.key() });
    },
  });
  const slot = slots.find((each) => each.kind === kind);
  const file = slot?.current;
  return (
    <>
      <Dialog
        opened={file != null}
        onClose={onClose}
        title={slot ? `Move or remove ${documentLabel[slot.kind]}` : ""}
      >
        {file && (
          <Choices
            slot={slot}
            file={file}
            slots={slots}
            busy={isPending}
            onChoose={(to) => mutate({ file, to })}
            onClose={onClose}
          />
        )}
      </Dialog>
      <ErrorModal title="Document Error" error={error} onClose={reset} />
    </>
  );
}

type ChoicesProps = {
  slot: DocumentSlot;
  file: DocumentFile;
  slots: readonly DocumentSlot[];
  busy: boolean;
  /** Null removes the file. */
  onChoose: (to: DocumentKind | null) => void;
  onClose: () => void;
};

function Choices({ slot: { kind, earlier }, file, slots, busy, onChoose, onClose }: ChoicesProps) {
  const [to, setTo] = useState<DocumentKind | null>(null);
  const [before] = earlier;
  const others = slots.filter(
    (other) => other.kind !== kind && decideMove(file.state, other.current?.state ?? null) !== "conflict",
  );
  const otherFile = others.find((other) => other.kind === to)?.current;
  return (
    <>
      <p className={classes.lead}>{file.name}</p>
      <Field label="Move to">
        {(control) => (
          <Select
            data={[
              { value: "", label: "Choose a slot" },
              ...others.map((other) => ({ value: other.kind, label: documentLabel[other.kind] })),
            ]}
            value={to ?? ""}
            disabled={busy}
            onChange={({ currentTarget: { value } }) =>
              setTo(others.find((other) => other.kind === value)?.kind ?? null)
            }
            {...control}
          />
        )}
      </Field>
      <p className={classes.aside}>
        {to === null && "If you remove this file, it's deleted for good. "}
        {otherFile && `${otherFile.name} moves to ${documentLabel[kind]} in exchange.`}
        {!otherFile && before && `${before.name} becomes your ${documentLabel[kind]} again.`}
      </p>
      <DialogActions>
        <Button variant="default" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button variant="danger" disabled={busy} onClick={() => onChoose(null)}>
          Remove file
        </Button>
        <Button disabled={busy || to === null} onClick={() => onChoose(to)}>
          Move
        </Button>
      </DialogActions>
    </>
  );
}
