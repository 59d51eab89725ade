import { useMutation } from "@tanstack/react-query";
import { type DocumentKind, type DocumentState, documentLabel } from "#domain/document.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";

/** A document as the reviewer sees it: what is decided counts for just this. */
export type ReviewedFile = { id: string; kind: DocumentKind; state: DocumentState };

const askAgain = () => queryClient.invalidateQueries({ queryKey: api.documents.key() });
const announceReview = ({ kind }: ReviewedFile, what: string) =>
  announce(`${documentLabel[kind]} ${what}. The student has been notified.`);

async function reject(file: ReviewedFile, reason: string): Promise<void> {
  try {
    await rpc.documents.review({
      documentId: file.id,
      kind: file.kind,
      decision: "rejected",
      seen: file.state,
      reason,
    });
    announceReview(file, "rejected");
  } finally {
    // After a failure too: somebody else may have decided first, or the student replaced it.
    await askAgain();
  }
}

/** Carries out what is decided about documents, and refetches. */
export function useReview() {
  const { mutate, variables, isPending, error, reset } = useMutation({
    mutationFn: ({ id, kind, state }: ReviewedFile) =>
      rpc.documents.review({ documentId: id, kind, decision: "approved", seen: state }),
    onSuccess: (_answer, file) => announceReview(file, "approved"),
    onSettled: askAgain,
  });
  return {
    approve: (file: ReviewedFile) => mutate(file),
    /** Rejects with what the server says against it. */
    reject,
    pending: isPending ? variables.id : null,
    failure: error && friendlyError(error),
    clearFailure: reset,
  };
}
