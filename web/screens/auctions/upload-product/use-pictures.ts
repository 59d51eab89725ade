import { useSyncExternalStore } from "react";
import { CataloguedError } from "../../../lib/catalogued-error.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api } from "../../../lib/rpc.ts";
import { uploadFile } from "../../../lib/upload-file.ts";
import { PictureQueue } from "./picture-queue.ts";

/** The tab's one queue: it outlives the screen, and is another one for another person. */
let current: { sellerId: string; queue: PictureQueue } | null = null;

const me = api.account.me.queryOptions();

function idIn(answer: unknown): string {
  const { id }: { id?: unknown } = Object(answer);
  if (typeof id !== "string") throw new CataloguedError("unavailable");
  return id;
}

function queueOf(sellerId: string): PictureQueue {
  if (current?.sellerId === sellerId) return current.queue;
  current?.queue.clear();
  const queue = new PictureQueue({
    async send(file, onProgress) {
      // Somebody else at this tab by now: the picture must not end among theirs.
      if (queryClient.getQueryData(me.queryKey)?.viewer?.id !== sellerId)
        throw new CataloguedError("unauthenticated");
      return idIn(await uploadFile("/files/auction-pictures", file, onProgress));
    },
    preview: { show: (file) => URL.createObjectURL(file), drop: (address) => URL.revokeObjectURL(address) },
  });
  current = { sellerId, queue };
  return queue;
}

/** The pictures that the seller has chosen, and how their upload goes; kept while the tab lives. */
export function usePictures(sellerId: string) {
  const queue = queueOf(sellerId);
  return { queue, state: useSyncExternalStore(queue.subscribe, queue.get) };
}
