import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { DocumentFile } from "#contract/documents.ts";
import { type DocumentKind, documentLabel } from "#domain/document.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";

export type Misplaced = ReturnType<typeof useMisplaced>;

/** The slot whose file is to be put right, and how that goes. */
export function useMisplaced() {
  const [kind, setKind] = useState<DocumentKind | null>(null);
  const close = () => setKind(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ file, to }: { file: DocumentFile; to: DocumentKind | null }) =>
      to === null
        ? rpc.documents.takeBack({ documentId: file.id })
        : rpc.documents.move({ documentId: file.id, to }),
    onSuccess: (_answer, { file, to }) =>
      announce(to ? `${file.name} is now your ${documentLabel[to]}.` : `${file.name} removed.`),
    onSettled: async () => {
      close();
      await queryClient.invalidateQueries({ queryKey: api.documents.key() });
    },
  });
  return {
    kind,
    ask: setKind,
    close,
    move: (file: DocumentFile, to: DocumentKind) => mutate({ file, to }),
    takeBack: (file: DocumentFile) => mutate({ file, to: null }),
    busy: isPending,
    failure: error && friendlyError(error),
    clearFailure: reset,
  };
}
