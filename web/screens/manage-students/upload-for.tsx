import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { DocumentSlot } from "#contract/documents.ts";
import { documentLabel } from "#domain/document.ts";
import { countsAsUploaded } from "#domain/progress.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ChooseFile } from "../../ui/file-upload.tsx";

const refetch = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: api.documents.key() }),
    queryClient.invalidateQueries({ queryKey: api.students.key() }),
    queryClient.invalidateQueries({ queryKey: api.planner.key() }),
  ]);

/** Uploads a document on a student's behalf. Replacing a document that isn't rejected requires a confirmation. */
export function UploadFor({ studentId, slot: { kind, current } }: { studentId: string; slot: DocumentSlot }) {
  const label = documentLabel[kind];
  const [replacement, setReplacement] = useState<File | null>(null);
  const sending = useMutation({
    mutationFn: (file: File) => uploadFile(`/files/students/${studentId}/documents/${kind}`, file, () => {}),
    onSuccess: () => announce(`${label} uploaded. The student has been notified.`),
    onSettled: refetch,
  });
  return (
    <>
      <ChooseFile
        label={`Upload ${label}`}
        accept=".pdf,.jpg,.jpeg,.png"
        size="compact-sm"
        disabled={sending.isPending}
        onChoose={([file]) => {
          if (file && countsAsUploaded(current?.state)) setReplacement(file);
          else if (file) sending.mutate(file);
        }}
      >
        {sending.isPending ? "Uploading..." : "Upload"}
      </ChooseFile>
      <ConfirmModal
        question={
          replacement && current
            ? {
                title: `Replace the student's ${label}?`,
                text: `${replacement.name} instead of ${current.name}.`,
                action: "Replace",
                harmless: true,
              }
            : null
        }
        onConfirm={() => {
          if (replacement) sending.mutate(replacement);
          setReplacement(null);
        }}
        onCancel={() => setReplacement(null)}
      />
      <ErrorModal title="Upload Error" error={sending.error} onClose={sending.reset} />
    </>
  );
}
