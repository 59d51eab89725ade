import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DocumentSlot } from "#contract/documents.ts";
import { documentLabel } from "#domain/document.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SlotRow, SlotRows } from "../student-documents/slot-row.tsx";
import { useOpenDocument } from "../student-documents/use-open-document.ts";
import { RejectDialog } from "./reject-dialog.tsx";
import classes from "./student-expanded.module.css";
import { type ReviewedFile, useReview } from "./use-review.ts";

/** A student's documents for the assigned agent and admins: view, approve, reject. Follows the student. */
export function StudentDocuments({ studentId }: { studentId: string }) {
  const { data, error, refetch } = useQuery(api.documents.ofStudent.queryOptions({ input: { studentId } }));
  if (error && friendlyError(error).code === "not-found")
    return <p className={classes.note}>Only the assigned agent and admins can see these files.</p>;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={240} label="Loading documents" />;
  return <Review slots={data.slots} />;
}

function Review({ slots }: { slots: readonly DocumentSlot[] }) {
  const opening = useOpenDocument();
  const review = useReview();
  const [rejected, setRejected] = useState<ReviewedFile | null>(null);
  return (
    <>
      <SlotRows>
        {slots.map(({ kind, current, earlier }) => (
          <SlotRow key={kind} slot={{ kind, current, earlier }} onOpen={opening.open}>
            {current && (
              <ReviewButtons
                file={{ id: current.id, kind, state: current.state }}
                busy={review.pending === current.id}
                onApprove={review.approve}
                onReject={setRejected}
              />
            )}
          </SlotRow>
        ))}
      </SlotRows>
      <RejectDialog file={rejected} onReject={review.reject} onClose={() => setRejected(null)} />
      <ErrorModal title="Document Error" error={opening.failure} onClose={opening.clearFailure} />
      <ErrorModal title="Review Error" error={review.failure} onClose={review.clearFailure} />
    </>
  );
}

type ReviewButtonsProps = {
  file: ReviewedFile;
  busy: boolean;
  onApprove: (file: ReviewedFile) => void;
  onReject: (file: ReviewedFile) => void;
};

/** The decision that was made is not offered again; the other one takes a mistake back. */
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
