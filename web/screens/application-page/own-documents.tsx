import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/rpc.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SlotRow, SlotRows } from "../student-documents/slot-row.tsx";
import { useOpenDocument } from "../student-documents/use-open-document.ts";

/** The six documents that go with a student's applications, and a link to change them. */
export function OwnDocuments({ studentId }: { studentId: string }) {
  const { data, error, refetch } = useQuery(api.documents.ofStudent.queryOptions({ input: { studentId } }));
  const opening = useOpenDocument();
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={240} label="Loading documents" />;
  return (
    <>
      <SlotRows>
        {data.slots.map((slot) => (
          <SlotRow key={slot.kind} slot={slot} onOpen={opening.open} />
        ))}
      </SlotRows>
      <div>
        <LinkButton to="/student-documents">Upload or replace documents</LinkButton>
      </div>
      <ErrorModal title="Document Error" error={opening.failure} onClose={opening.clearFailure} />
    </>
  );
}
