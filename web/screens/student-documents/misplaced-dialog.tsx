import { useState } from "react";
import type { DocumentFile, DocumentSlot } from "#contract/documents.ts";
import { type DocumentKind, documentLabel } from "#domain/document.ts";
import { decideMove } from "#domain/document-slots.ts";
import { Button } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Select } from "../../ui/form/controls.tsx";
import { Field } from "../../ui/form/field.tsx";
import type { Misplaced } from "./use-misplaced.ts";

/** Puts a file right that is in the wrong slot: moves it, lets it trade places, or takes it back. */
export function MisplacedDialog({
  slots,
  misplaced,
}: {
  slots: readonly DocumentSlot[];
  misplaced: Misplaced;
}) {
  const slot = slots.find(({ kind }) => kind === misplaced.kind);
  return (
    <Dialog
      opened={slot?.current != null}
      onClose={misplaced.close}
      title={slot ? `Move or remove ${documentLabel[slot.kind]}` : ""}
    >
      {slot?.current && <Choices slot={slot} file={slot.current} slots={slots} misplaced={misplaced} />}
    </Dialog>
  );
}

type ChoicesProps = {
  slot: DocumentSlot;
  file: DocumentFile;
  slots: readonly DocumentSlot[];
  misplaced: Misplaced;
};

function Choices({ slot, file, slots, misplaced }: ChoicesProps) {
  const [to, setTo] = useState<DocumentKind | null>(null);
  const { kind, earlier } = slot;
  const [before] = earlier;
  const others = slots.filter(
    (other) => other.kind !== kind && decideMove(file.state, other.current?.state ?? null) !== "conflict",
  );
  const there = others.find((other) => other.kind === to)?.current;
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
            disabled={misplaced.busy}
            onChange={({ currentTarget: { value } }) =>
              setTo(others.find((other) => other.kind === value)?.kind ?? null)
            }
            {...control}
          />
        )}
      </Field>
      <p className={classes.aside}>
        {to === null && "If you remove this file, it's deleted for good. "}
        {there && `${there.name} moves to ${documentLabel[kind]} in exchange.`}
        {!there && before && `${before.name} becomes your ${documentLabel[kind]} again.`}
      </p>
      <DialogActions>
        <Button variant="default" disabled={misplaced.busy} onClick={misplaced.close}>
          Cancel
        </Button>
        <Button variant="danger" disabled={misplaced.busy} onClick={() => misplaced.takeBack(file)}>
          Remove file
        </Button>
        <Button disabled={misplaced.busy || to === null} onClick={() => to && misplaced.move(file, to)}>
          Move
        </Button>
      </DialogActions>
    </>
  );
}
