import { useSyncExternalStore } from "react";
import type { DocumentKind } from "#domain/document.ts";
import { CataloguedError } from "../../lib/catalogued-error.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { uploadFile } from "../../lib/upload-file.ts";
import { DocumentQueue } from "./document-queue.ts";

/** The tab's one queue: it outlives the dialog and the screen, and is another one for another person. */
let current: { studentId: string; queue: DocumentQueue } | null = null;

const me = api.account.me.queryOptions();

function queueOf(studentId: string): DocumentQueue {
  if (current?.studentId === studentId) return current.queue;
  const queue = new DocumentQueue(async (slot: DocumentKind, file, onProgress) => {
    // Somebody else at this tab by now: the file must not end among their documents.
    if (queryClient.getQueryData(me.queryKey)?.viewer?.id !== studentId)
      throw new CataloguedError("unauthenticated");
    await uploadFile(`/files/documents/${slot}`, file, onProgress);
    await queryClient.invalidateQueries({ queryKey: api.documents.key() });
  });
  current = { studentId, queue };
  return queue;
}

/** The files that the student has chosen, and how their upload goes; kept while the tab lives. */
export function useUploads(studentId: string) {
  const queue = queueOf(studentId);
  return { queue, state: useSyncExternalStore(queue.subscribe, queue.get) };
}
