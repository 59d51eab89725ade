import { useMutation } from "@tanstack/react-query";
import { friendlyError } from "#domain/friendly-error.ts";
import { download } from "../../lib/download.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";

/** Saves all that is kept of a student, details to read or print and documents, as one zip. */
export function SaveStudentFile({ studentId }: { studentId: string }) {
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: () => rpc.students.fileLink({ studentId }),
    onSuccess: ({ url }) => download(url),
  });
  return (
    <>
      <Button size="compact-md" variant="default" disabled={isPending} onClick={() => mutate()}>
        {isPending ? "Preparing..." : "Save student file"}
      </Button>
      <ErrorModal title="Error" error={error && friendlyError(error)} onClose={reset} />
    </>
  );
}
