import { IconFileTypePdf, IconPhoto } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { MessageFile } from "#contract/conversations.ts";
import { type DocumentType, documentKinds, documentLabel } from "#domain/document.ts";
import { wrong } from "#domain/problem.ts";
import { announce } from "../../lib/announce.ts";
import { formatSize } from "../../lib/format-size.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import classes from "./thread.module.css";

const typeNames: Record<DocumentType, string> = {
  "application/pdf": "PDF",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
};

/** A file that the viewer may open: only these have a name. */
export type SharedFile = MessageFile & { name: string };
const isShared = (file: MessageFile): file is SharedFile => file.name !== null;

type MessageFilesProps = {
  files: readonly MessageFile[];
  onOpen: (fileId: string) => void;
  /** Keeps a file as a document; missing if the viewer may not. */
  onKeep?: ((file: SharedFile) => void) | undefined;
};

/** The files of a message. */
export function MessageFiles({ files, onOpen, onKeep }: MessageFilesProps) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label="Files">
      {files.map((file) => (
        <li key={file.id} className={classes.file}>
          {isShared(file) ? (
            <button type="button" className={classes.open} onClick={() => onOpen(file.id)}>
              {file.type === "application/pdf" ? (
                <IconFileTypePdf size={24} stroke={1.4} aria-hidden />
              ) : (
                <IconPhoto size={24} stroke={1.4} aria-hidden />
              )}
              <span>
                <span className={classes.fileName}>{file.name}</span>{" "}
                <span className={classes.fileFacts}>
                  {typeNames[file.type]} · {formatSize(file.size)}
                  {file.keptAs && ` · Kept as ${documentLabel[file.keptAs]}`}
                </span>
              </span>
            </button>
          ) : (
            <span>
              A file <span className={classes.fileFacts}>It isn't shared with you.</span>
            </span>
          )}
          {onKeep && isShared(file) && !file.keptAs && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Keep as document: ${file.name}`}
              onClick={() => onKeep(file)}
            >
              Keep as document
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

type KeepDialogProps = { studentId: string; file: SharedFile | null; onClose: () => void };

/** Asks for the slot in which a message's file is kept as a document. Null: the dialog is closed. */
export function KeepDialog({ studentId, file, onClose }: KeepDialogProps) {
  return (
    <Dialog opened={file !== null} onClose={onClose} title="Keep as document">
      {file && <KeepForm studentId={studentId} file={file} onClose={onClose} />}
    </Dialog>
  );
}

function KeepForm({ studentId, file, onClose }: KeepDialogProps & { file: SharedFile }) {
  const { data } = useQuery(api.documents.ofStudent.queryOptions({ input: { studentId } }));
  const slotLabel = (kind: (typeof documentKinds)[number]) => {
    const current = data?.slots.find((slot) => slot.kind === kind)?.current;
    return current ? `${documentLabel[kind]} (replaces ${current.name})` : documentLabel[kind];
  };
  return (
    <>
      <p className={dialog.words}>
        {file.name} is copied into the student's documents and waits for review there. The message stays as it
        is.
      </p>
      <ModalForm
        errorTitle="Document Error"
        fields={["kind"]}
        check={({ kind }) => (kind === "" ? wrong("kind", "Please choose a slot.") : null)}
        send={async ({ kind }) => {
          const slot = documentKinds.find((each) => each === kind);
          if (slot) await rpc.conversations.keepFile({ fileId: file.id, kind: slot });
          if (slot) announce(`${file.name} is kept as ${documentLabel[slot]}.`);
        }}
        onDone={() => {
          onClose();
          void queryClient.invalidateQueries({ queryKey: api.conversations.messages.key() });
          void queryClient.invalidateQueries({ queryKey: api.documents.key() });
        }}
        onCancel={onClose}
        action="Keep"
        busyText="Keeping..."
      >
        <SelectField
          name="kind"
          label="Slot"
          data={[
            { value: "", label: "Choose a slot" },
            ...documentKinds.map((kind) => ({ value: kind, label: slotLabel(kind) })),
          ]}
        />
      </ModalForm>
    </>
  );
}
