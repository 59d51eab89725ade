import { useQuery } from "@tanstack/react-query";
import type { DocumentSlot } from "#contract/documents.ts";
import { documentLabel, documentLimits } from "#domain/document.ts";
import { mayBeTakenBack } from "#domain/document-slots.ts";
import { api } from "../../lib/rpc.ts";
import { useLive } from "../../lib/use-live.ts";
import { Button } from "../../ui/button.tsx";
import { ChooseFile } from "../../ui/choose-file.tsx";
import { DropArea } from "../../ui/drop-area.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { ChosenFiles } from "./chosen-files.tsx";
import classes from "./documents.module.css";
import { MisplacedDialog } from "./misplaced-dialog.tsx";
import { SlotRow, SlotRows, statesOf } from "./slot-row.tsx";
import { useMisplaced } from "./use-misplaced.ts";
import { useOpenDocument } from "./use-open-document.ts";
import { useUploads } from "./use-uploads.ts";

const accept = ".pdf,.jpg,.jpeg,.png";

const documentsQuery = (studentId: string) => api.documents.ofStudent.queryOptions({ input: { studentId } });

/** A student's own six documents: upload, replace, put right, look at them. Follows what the agent decides. */
export function Documents({ studentId }: { studentId: string }) {
  useLive("dashboard");
  const { data, error, refetch } = useQuery(documentsQuery(studentId));
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <DocumentsSkeleton />;
  return <Slots studentId={studentId} slots={data.slots} />;
}

function Slots({ studentId, slots }: { studentId: string; slots: readonly DocumentSlot[] }) {
  const { queue, state } = useUploads(studentId);
  const opening = useOpenDocument();
  const misplaced = useMisplaced();
  return (
    <>
      <DropArea
        label="Add documents"
        invitation="Drop one or more documents here"
        limits={`PDF, JPEG or PNG, at most ${documentLimits.bytes / 1024 / 1024} MB each`}
        accept={accept}
        disabled={state.busy}
        onFiles={(files) => void queue.add(files, statesOf(slots))}
      />
      <ChosenFiles queue={queue} state={state} slots={slots} />
      <div className={classes.slots}>
        <SlotRows>
          {slots.map((slot) => (
            <SlotRow key={slot.kind} slot={slot} onOpen={opening.open}>
              <ChooseSlotFile
                slot={slot}
                disabled={state.busy}
                onFile={(file) => void queue.addTo(slot.kind, file)}
              />
              {slot.current && mayBeTakenBack(slot.current.state) && (
                <Button
                  variant="default"
                  size="compact-sm"
                  disabled={state.busy}
                  aria-label={`Move or remove ${documentLabel[slot.kind]}`}
                  onClick={() => misplaced.ask(slot.kind)}
                >
                  Move or remove
                </Button>
              )}
            </SlotRow>
          ))}
        </SlotRows>
      </div>
      <MisplacedDialog slots={slots} misplaced={misplaced} />
      <ErrorModal title="Document Error" error={opening.failure} onClose={opening.clearFailure} />
      <ErrorModal title="Document Error" error={misplaced.failure} onClose={misplaced.clearFailure} />
    </>
  );
}

type ChooseSlotFileProps = { slot: DocumentSlot; disabled: boolean; onFile: (file: File) => void };

function ChooseSlotFile({ slot: { kind, current }, disabled, onFile }: ChooseSlotFileProps) {
  const word = current ? "Replace" : "Choose file";
  return (
    <ChooseFile
      label={current ? `Replace ${documentLabel[kind]}` : `Choose file for ${documentLabel[kind]}`}
      accept={accept}
      size="compact-sm"
      disabled={disabled}
      onChoose={([file]) => file && onFile(file)}
    >
      {word}
    </ChooseFile>
  );
}

function DocumentsSkeleton() {
  return (
    <Waiting label="Loading documents">
      <Skeleton h={190} />
      {["a", "b", "c", "d", "e", "f"].map((row) => (
        <Skeleton key={row} h={56} />
      ))}
    </Waiting>
  );
}
