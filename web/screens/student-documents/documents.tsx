import { useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import type { DocumentSlot } from "#contract/documents.ts";
import { type DocumentKind, documentLabel, documentLimits } from "#domain/document.ts";
import { mayBeTakenBack } from "#domain/document-slots.ts";
import { useLive } from "../../lib/live.ts";
import { queryClient } from "../../lib/query-client.ts";
import { CataloguedError } from "../../lib/request.ts";
import { api } from "../../lib/rpc.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ChooseFile, DropArea } from "../../ui/file-upload.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { ChosenFiles } from "./chosen-files.tsx";
import { DocumentQueue } from "./document-queue.ts";
import classes from "./documents.module.css";
import { MisplacedDialog } from "./misplaced-dialog.tsx";
import { SlotRow, SlotRows, statesOf } from "./slot-row.tsx";
import { useOpenDocument } from "./use-open-document.ts";

const accept = ".pdf,.jpg,.jpeg,.png";

/** The tab's one queue: it outlives the dialog and the screen, but not a change of the account. */
let current: { studentId: string; queue: DocumentQueue } | null = null;

const me = api.account.me.queryOptions();

function queueOf(studentId: string): DocumentQueue {
  if (current?.studentId === studentId) return current.queue;
  const queue = new DocumentQueue(async (slot, file, onProgress) => {
    // Another person is logged in by now: the file must not end up among their documents.
    if (queryClient.getQueryData(me.queryKey)?.viewer?.id !== studentId)
      throw new CataloguedError("unauthenticated");
    await uploadFile(`/files/documents/${slot}`, file, onProgress);
    await queryClient.invalidateQueries({ queryKey: api.documents.key() });
  });
  current = { studentId, queue };
  return queue;
}

const documentsQuery = (studentId: string) => api.documents.ofStudent.queryOptions({ input: { studentId } });

/** A student's own six documents, to upload, replace, correct and view. Follows the agent's decisions live. */
export function Documents({ studentId }: { studentId: string }) {
  useLive("dashboard");
  const { data, error, refetch } = useQuery(documentsQuery(studentId));
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <DocumentsSkeleton />;
  return <Slots studentId={studentId} slots={data.slots} />;
}

function Slots({ studentId, slots }: { studentId: string; slots: readonly DocumentSlot[] }) {
  const queue = queueOf(studentId);
  const state = useSyncExternalStore(queue.subscribe, queue.get);
  const opening = useOpenDocument();
  const [misplaced, setMisplaced] = useState<DocumentKind | null>(null);
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
                  onClick={() => setMisplaced(slot.kind)}
                >
                  Move or remove
                </Button>
              )}
            </SlotRow>
          ))}
        </SlotRows>
      </div>
      <MisplacedDialog slots={slots} kind={misplaced} onClose={() => setMisplaced(null)} />
      <ErrorModal title="Document Error" error={opening.failure} onClose={opening.clearFailure} />
    </>
  );
}

type ChooseSlotFileProps = { slot: DocumentSlot; disabled: boolean; onFile: (file: File) => void };

function ChooseSlotFile({ slot: { kind, current }, disabled, onFile }: ChooseSlotFileProps) {
  return (
    <ChooseFile
      label={current ? `Replace ${documentLabel[kind]}` : `Choose file for ${documentLabel[kind]}`}
      accept={accept}
      size="compact-sm"
      disabled={disabled}
      onChoose={([file]) => file && onFile(file)}
    >
      {current ? "Replace" : "Choose file"}
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
