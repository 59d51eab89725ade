import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DocumentSlot } from "#contract/documents.ts";
import { type DocumentKind, type DocumentState, documentLabel, documentLimits } from "#domain/document.ts";
import { type ReviewDecision, reasonProblem } from "#domain/document-review.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SlotRow, SlotRows } from "../student-documents/slot-row.tsx";
import { useOpenDocument } from "../student-documents/use-open-document.ts";
import classes from "./student-expanded.module.css";
import { UploadFor } from "./upload-for.tsx";

type StudentDocumentsProps = {
  studentId: string;
  /** Whether the viewer may upload on the student's behalf. */
  mayUpload: boolean;
};

/** A student's documents, for the assigned agent and admins to view, approve, reject and upload. */
export function StudentDocuments({ studentId, mayUpload }: StudentDocumentsProps) {
  const { data, error, refetch } = useQuery(api.documents.ofStudent.queryOptions({ input: { studentId } }));
  if (error && friendlyError(error).code === "not-found")
    return <p className={classes.note}>These files aren't shared with you.</p>;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={240} label="Loading documents" />;
  return <Review slots={data.slots} uploadsFor={mayUpload ? studentId : null} />;
}

/** A document as the reviewer sees it: a decision applies to exactly this version. */
type ReviewedFile = { id: string; kind: DocumentKind; state: DocumentState };

/** Refetches after a failure too: another person may have decided first, or the student replaced the document. */
async function review({ id, kind, state }: ReviewedFile, decision: ReviewDecision, reason?: string) {
  try {
    await rpc.documents.review({ documentId: id, kind, decision, seen: state, reason });
    announce(`${documentLabel[kind]} ${decision}. The student has been notified.`);
  } finally {
    await queryClient.invalidateQueries({ queryKey: api.documents.key() });
  }
}

type ReviewProps = { slots: readonly DocumentSlot[]; uploadsFor: string | null };

/** `uploadsFor`: the student on whose behalf the viewer uploads; null if they don't. */
function Review({ slots, uploadsFor }: ReviewProps) {
  const opening = useOpenDocument();
  const approval = useMutation({ mutationFn: (file: ReviewedFile) => review(file, "approved") });
  const [rejected, setRejected] = useState<ReviewedFile | null>(null);
  return (
    <>
      <SlotRows>
        {slots.map((slot) => (
          <SlotRow key={slot.kind} slot={slot} onOpen={opening.open}>
            {slot.current && (
              <ReviewButtons
                file={{ id: slot.current.id, kind: slot.kind, state: slot.current.state }}
                busy={approval.isPending && approval.variables.id === slot.current.id}
                onApprove={approval.mutate}
                onReject={setRejected}
              />
            )}
            {uploadsFor !== null && <UploadFor studentId={uploadsFor} slot={slot} />}
          </SlotRow>
        ))}
      </SlotRows>
      <ReasonDialog
        opened={rejected !== null}
        title={`Reject ${rejected ? documentLabel[rejected.kind] : ""}`}
        draft={`reject ${rejected?.id}`}
        maxLength={documentLimits.reason}
        check={reasonProblem}
        send={async (reason) => {
          if (rejected) await review(rejected, "rejected", reason);
        }}
        action={{ text: "Reject", busyText: "Rejecting..." }}
        errorTitle="Review Error"
        onClose={() => setRejected(null)}
      >
        The student will see this reason and be asked for a new file.
      </ReasonDialog>
      <ErrorModal title="Document Error" error={opening.failure} onClose={opening.clearFailure} />
      <ErrorModal title="Review Error" error={approval.error} onClose={approval.reset} />
    </>
  );
}

type ReviewButtonsProps = {
  file: ReviewedFile;
  busy: boolean;
  onApprove: (file: ReviewedFile) => void;
  onReject: (file: ReviewedFile) => void;
};

/** Offers only the other decision once one was made, to correct a mistake. */
function ReviewButtons({ file, busy, onApprove, onReject }: ReviewButtonsProps) {
  const label = documentLabel[file.kind];
  return (
    <>
      {file.state !== "approved" && (
        <Button
          size="compact-sm"
          variant="light"
          disabled={busy}
          aria-label={`Approve ${label}`}
          onClick={() => onApprove(file)}
        >
          Approve
        </Button>
      )}
      {file.state !== "rejected" && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy}
          aria-label={`Reject ${label}`}
          onClick={() => onReject(file)}
        >
          Reject
        </Button>
      )}
    </>
  );
}
