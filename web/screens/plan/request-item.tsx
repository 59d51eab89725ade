import { useMutation } from "@tanstack/react-query";
import type { DocumentRequest } from "#contract/planned-work.ts";
import {
  isRequestOpen,
  isWanted,
  type RequestDecision,
  type RequestState,
  requestLimits,
  requestTitle,
} from "#domain/document-request.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { Button } from "../../ui/button.tsx";
import { EnteredBy } from "../../ui/entered-by.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ChooseFile } from "../../ui/file-upload.tsx";
import { Item } from "../../ui/item-list.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { useOpenFile } from "../student-documents/use-open-document.ts";
import { DueText } from "./due-text.tsx";
import { refetchPlan } from "./plan-dialogs.tsx";

const requestBadges: Record<RequestState, { words: string; tone: Tone }> = {
  asked: { words: "Waiting for the student", tone: "going" },
  supplied: { words: "To review", tone: "asks" },
  accepted: { words: "Accepted", tone: "good" },
  sentBack: { words: "Sent back", tone: "going" },
  cancelled: { words: "Cancelled", tone: "ended" },
};

type RequestProps = {
  request: DocumentRequest;
  /** Whether the viewer may send it on the student's behalf. */
  mayUpload: boolean;
  onChange: (request: DocumentRequest) => void;
  onSendBack: (request: DocumentRequest) => void;
};

/** A request as the agent sees it. */
export function RequestItem({ request, mayUpload, onChange, onSendBack }: RequestProps) {
  const { kind, state, reason, note, due, blocks, file, applicationId } = request;
  const name = requestTitle(request);
  const isOwnFile = kind === "other";
  const { words, tone } = requestBadges[state];
  const isSent = isOwnFile && (state === "supplied" || state === "accepted");
  return (
    <Item
      name={name}
      level={3}
      state={<StateBadge tone={tone}>{words}</StateBadge>}
      details={
        <>
          {note && <p>Sent back: {note}</p>}
          {reason && <p>{reason}</p>}
          {due && isRequestOpen(state) && <DueText due={due} />}
          {blocks && applicationId !== null && isRequestOpen(state) && <p>The application waits for it.</p>}
          {state === "supplied" && !isOwnFile && <p>Review it under Documents.</p>}
          {isSent && !file && <p>This file isn't shared with you.</p>}
          {file?.enteredBy && (
            <p>
              <EnteredBy by={file.enteredBy} at={request.suppliedAt} />
            </p>
          )}
        </>
      }
      actions={
        <>
          {file && <OpenFile request={request} />}
          {mayUpload && isOwnFile && isWanted(state) && <SendFor request={request} />}
          {isSent && file && state === "supplied" && (
            <Decide request={request} decision="accepted" label="Accept" />
          )}
          {isSent && file && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Send back: ${name}`}
              onClick={() => onSendBack(request)}
            >
              Send back
            </Button>
          )}
          {isRequestOpen(state) && (
            <>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Change ${name}`}
                onClick={() => onChange(request)}
              >
                Change
              </Button>
              <Decide request={request} decision="cancelled" label="Cancel request" />
            </>
          )}
        </>
      }
    />
  );
}

export function OpenFile({ request }: { request: DocumentRequest }) {
  const opening = useOpenFile((requestId, mode) => rpc.planner.requestLink({ requestId, mode }));
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`View ${requestTitle(request)}`}
        onClick={() => opening.open(request.id, "view")}
      >
        View
      </Button>
      <ErrorModal title="Document Error" error={opening.failure} onClose={opening.clearFailure} />
    </>
  );
}

/** Uploads the requested document on the student's behalf. */
function SendFor({ request }: { request: DocumentRequest }) {
  const name = requestTitle(request);
  const sending = useMutation({
    mutationFn: (file: File) => uploadFile(`/files/requests/${request.id}`, file, () => {}),
    onSuccess: () => announce(`${name} uploaded. The student has been notified.`),
    onSettled: refetchPlan,
  });
  return (
    <>
      <ChooseFile
        label={`Upload ${name}`}
        accept=".pdf,.jpg,.jpeg,.png"
        size="compact-sm"
        disabled={sending.isPending}
        onChoose={([file]) => file && sending.mutate(file)}
      >
        {sending.isPending ? "Uploading..." : "Upload"}
      </ChooseFile>
      <ErrorModal title="Upload Error" error={sending.error} onClose={sending.reset} />
    </>
  );
}

type DecideProps = { request: DocumentRequest; decision: RequestDecision; label: string };

function Decide({ request, decision, label }: DecideProps) {
  const { id: requestId, version } = request;
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.planner.decideRequest({ requestId, version, decision }),
    onSettled: refetchPlan,
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant={decision === "accepted" ? "light" : "subtle"}
        disabled={isPending}
        aria-label={`${label}: ${requestTitle(request)}`}
        onClick={() => mutate()}
      >
        {label}
      </Button>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}

/** Asks why a file is sent back. */
export function SendBackDialog({
  request,
  onClose,
}: {
  request: DocumentRequest | null;
  onClose: () => void;
}) {
  return (
    <ReasonDialog
      opened={request !== null}
      title={`Send ${request ? requestTitle(request) : ""} back`}
      draft={`send back ${request?.id}`}
      maxLength={requestLimits.reason}
      check={(reason) =>
        reason.trim() === ""
          ? wrong("reason", "Please enter a reason.")
          : tooLong("reason", "The reason", reason, requestLimits.reason)
      }
      send={async (note) => {
        if (!request) return;
        const { id: requestId, version } = request;
        await rpc.planner
          .decideRequest({ requestId, version, decision: "sentBack", note })
          .finally(() => void refetchPlan());
      }}
      action={{ text: "Send back", busyText: "Sending..." }}
      errorTitle="Not sent"
      onClose={onClose}
    >
      The student will see this reason and be asked for a new file.
    </ReasonDialog>
  );
}
