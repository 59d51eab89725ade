import { useSyncExternalStore } from "react";
import { pictureFileProblem, pictureRefusal, pictureStartProblem } from "#domain/auction-picture.ts";
import { startLength, withFileName } from "#domain/file-rules.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { CataloguedError } from "../../../lib/request.ts";
import { api } from "../../../lib/rpc.ts";
import { type OnProgress, type QueuedFile, UploadQueue, uploadFile } from "../../../lib/upload-queue.ts";

/** `preview`: an object URL that shows it. `pictureId`: the server's id for it, once uploaded. */
export type ChosenPicture = QueuedFile & { preview: string; pictureId: string | null };

type Parts = {
  /** Sends one picture and resolves to the server's id for it. Rejects with an error for the person to read. */
  send: (file: File, onProgress: OnProgress) => Promise<string>;
  preview: { show(file: File): string; drop(address: string): void };
};

/** Maximum number of pictures: more than a product can have, so that too many are refused with a message. */
const most = 20;

/** Returns why a file can't be used, as far as that is known without sending it. */
async function refusalOf(file: File) {
  const start = new Uint8Array(await file.slice(0, startLength).arrayBuffer());
  const problem = pictureFileProblem(file.size) ?? pictureStartProblem(start);
  return problem && pictureRefusal[problem];
}

/** The chosen pictures of a product, in order. */
export class PictureQueue extends UploadQueue<ChosenPicture> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super();
    this.#parts = parts;
  }

  protected override async send({ id, file }: ChosenPicture, onProgress: OnProgress): Promise<void> {
    this.changeItem(id, { pictureId: await this.#parts.send(file, onProgress) });
  }

  add(files: readonly File[]): void {
    if (this.busy) return;
    const pictures = files.slice(0, most - this.items.length).map(
      (file): ChosenPicture => ({
        id: this.newId(),
        file,
        preview: this.#parts.preview.show(file),
        pictureId: null,
        state: { kind: "chosen" },
      }),
    );
    this.change({ items: [...this.items, ...pictures], leftOut: files.length - pictures.length });
    for (const item of pictures) void this.#check(item);
  }

  async #check({ id, file }: ChosenPicture): Promise<void> {
    const refusal = await refusalOf(file);
    const isWaiting = this.items.some((item) => item.id === id && item.state.kind === "chosen");
    if (refusal && isWaiting) this.changeItem(id, { state: { kind: "refused", ...refusal } });
  }

  /** Swaps a picture with the one before (-1) or after (1) it. */
  move(id: number, by: -1 | 1): void {
    const from = this.items.findIndex((item) => item.id === id);
    const [item, other] = [this.items[from], this.items[from + by]];
    if (this.busy || !item || !other) return;
    this.change({ items: this.items.with(from, other).with(from + by, item) });
  }

  override remove(id: number): void {
    const item = this.items.find((each) => each.id === id);
    if (item && !this.busy) this.#parts.preview.drop(item.preview);
    super.remove(id);
  }

  clear(): void {
    for (const { preview } of this.items) this.#parts.preview.drop(preview);
    this.change({ items: [] });
  }

  /** Shows pictures that the server already has, such as those of a draft. */
  restore(pictures: readonly { id: string; preview: string }[]): void {
    const items = pictures.map(
      ({ id, preview }, at): ChosenPicture => ({
        id: this.newId(),
        file: new File([], `Picture ${at + 1}`),
        preview,
        pictureId: id,
        state: { kind: "uploaded" },
      }),
    );
    this.change({ items });
  }

  /**
   * Marks all as not uploaded, because the server has dropped them: the next submit sends them again. Restored ones are
   * removed, because there is no file to send.
   */
  dropUploads(): void {
    const items = this.items.filter(({ file }) => file.size > 0);
    this.change({ items: items.map((item) => ({ ...item, state: { kind: "chosen" } })) });
  }

  /** Uploads the remaining pictures and returns all ids in order; throws the first refusal or failure. */
  async upload(): Promise<string[]> {
    const failures = await this.submit();
    const refused = this.items.flatMap(({ file, state }) =>
      state.kind === "refused" ? { ...state, message: withFileName(state.message, file.name) } : [],
    );
    const [failure] = [...refused, ...failures];
    if (failure !== undefined) throw failure;
    return this.items.flatMap(({ pictureId }) => pictureId ?? []);
  }
}

/** The tab's queues by form: they outlive the screen, but not a change of the account. */
let current: { sellerId: string; queues: Map<string, PictureQueue> } | null = null;

const me = api.account.me.queryOptions();

function idIn(answer: unknown): string {
  const { id }: { id?: unknown } = Object(answer);
  if (typeof id !== "string") throw new CataloguedError("unavailable");
  return id;
}

type StoredPictures = readonly { id: string; preview: string }[];

function queueOf(sellerId: string, form: string, pictures: StoredPictures): PictureQueue {
  if (current?.sellerId !== sellerId) {
    for (const each of current?.queues.values() ?? []) each.clear();
    current = { sellerId, queues: new Map() };
  }
  const { queues } = current;
  let queue = queues.get(form);
  if (queue) return queue;
  queue = new PictureQueue({
    async send(file, onProgress) {
      // Another person is logged in by now: the picture must not end up among theirs.
      if (queryClient.getQueryData(me.queryKey)?.viewer?.id !== sellerId)
        throw new CataloguedError("unauthenticated");
      return idIn(await uploadFile("/files/auction-pictures", file, onProgress));
    },
    preview: { show: (file) => URL.createObjectURL(file), drop: (address) => URL.revokeObjectURL(address) },
  });
  queue.restore(pictures);
  queues.set(form, queue);
  return queue;
}

/**
 * Returns the pictures that the seller has chosen in a form, with the state of their upload; they live as long as the
 * tab. Starts with `pictures`, which the server already has.
 */
export function usePictures(sellerId: string, form: string, pictures: StoredPictures = []) {
  const queue = queueOf(sellerId, form, pictures);
  return { queue, state: useSyncExternalStore(queue.subscribe, queue.get) };
}

/** Drops the pictures of a form that is no longer needed. */
export function dropPictures(form: string): void {
  current?.queues.get(form)?.clear();
  current?.queues.delete(form);
}
