import {
  type DocumentKind,
  documentKinds,
  fileProblem,
  startProblem,
  uploadRefusal,
} from "#domain/document.ts";
import { slotsFor } from "#domain/document-slots.ts";
import { startLength } from "#domain/file-start.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import type { Slots } from "#domain/progress.ts";
import { isRefused } from "../../lib/upload-file.ts";
import type { UploadState } from "../../ui/upload-outcome.tsx";

/** `slot`: null until somebody chooses one. `meant`: chosen for just this slot, by its own button. */
export type ChosenFile = {
  id: number;
  file: File;
  slot: DocumentKind | null;
  meant: boolean;
  state: UploadState;
};
/** `leftOut`: files beyond the six slots at the last choice. `uploaded`: how many the last submit has brought in. */
export type QueueState = {
  items: readonly ChosenFile[];
  busy: boolean;
  leftOut: number;
  uploaded: number;
};

/** Sends one file; rejects with what the person is to read. */
export type Send = (slot: DocumentKind, file: File, onProgress: (share: number) => void) => Promise<void>;

/** Uploads at the same time: browsers open six connections to a server, and some are for other things. */
const atOnce = 3;
/** Files of one choice that are looked at. */
const most = 20;
const empty: QueueState = { items: [], busy: false, leftOut: 0, uploaded: 0 };

/** It can still be uploaded. */
export const isOpen = ({ state: { kind } }: ChosenFile): boolean => kind === "chosen" || kind === "error";
type Ready = ChosenFile & { slot: DocumentKind };
/** It will be uploaded by the next submit. */
export const isReady = (item: ChosenFile): item is Ready => isOpen(item) && item.slot !== null;

const inSlot = (item: ChosenFile, slot: DocumentKind | null): ChosenFile => ({ ...item, slot });

/** What can be told of a file without sending it. */
async function lookAt(file: File): Promise<UploadState> {
  const start = await file.slice(0, startLength).arrayBuffer();
  const problem = fileProblem(file) ?? startProblem(new Uint8Array(start));
  return problem ? { kind: "refused", message: uploadRefusal[problem].message } : { kind: "chosen" };
}

/** The files that somebody has chosen, with a slot for each, and how their upload goes. */
export class UploadQueue {
  #state = empty;
  #nextId = 1;
  readonly #send: Send;
  readonly #listeners = new Set<() => void>();

  constructor(send: Send) {
    this.#send = send;
  }

  readonly get = (): QueueState => this.#state;
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Adds files, each for the slot that its name speaks of or the next empty one; what is done leaves. */
  async add(files: readonly File[], slots: Slots): Promise<void> {
    if (files.length === 0) return;
    const looked = await this.#look(files.slice(0, most), false);
    if (this.#state.busy) return;
    const kept = this.#state.items.filter(isOpen);
    const good = looked.filter(isOpen).slice(0, documentKinds.length - kept.length);
    const taken = kept.flatMap(({ slot }) => slot ?? []);
    const found = slotsFor(
      good.map(({ file }) => file.name),
      slots,
      taken,
    );
    const added = looked
      .filter((item) => !isOpen(item) || good.includes(item))
      .map((item) => inSlot(item, found[good.indexOf(item)] ?? null));
    this.#change({ items: [...kept, ...added], leftOut: files.length - added.length, uploaded: 0 });
  }

  /** Adds one file for a certain slot, in place of another one that was chosen for it. */
  async addTo(slot: DocumentKind, file: File): Promise<void> {
    const looked = await this.#look([file], true);
    if (this.#state.busy) return;
    const kept = this.#state.items.filter((item) => isOpen(item) && item.slot !== slot);
    const added = looked.map((item) => inSlot(item, isOpen(item) ? slot : null));
    this.#change({ items: [...kept, ...added], leftOut: 0, uploaded: 0 });
  }

  /** Gives a file another slot; the one that had it gets the first one's. */
  assign(id: number, slot: DocumentKind): void {
    const chosen = this.#state.items.find((item) => item.id === id);
    if (this.#state.busy || !chosen) return;
    this.#change({
      items: this.#state.items.map((item) => {
        if (item === chosen) return { ...item, slot, meant: false };
        return isOpen(item) && item.slot === slot ? { ...item, slot: chosen.slot, meant: false } : item;
      }),
    });
  }

  remove(id: number): void {
    if (this.#state.busy) return;
    this.#change({ items: this.#state.items.filter((item) => item.id !== id), leftOut: 0 });
  }

  /** Uploads what has a slot and is not uploaded yet, a few at once; one that fails leaves the others alone. */
  async submit(): Promise<void> {
    const waiting = this.#state.items.filter(isReady);
    if (this.#state.busy || waiting.length === 0) return;
    const items = this.#state.items.map(
      (item): ChosenFile => (isReady(item) ? { ...item, state: { kind: "chosen" } } : item),
    );
    this.#change({ items, busy: true, leftOut: 0, uploaded: 0 });
    // One iterator for all that work at once: each takes the next.
    const each = waiting.values();
    await Promise.all(Array.from({ length: atOnce }, () => this.#work(each)));
    this.#change({ busy: false });
  }

  #change(changes: Partial<QueueState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  #changeState(id: number, state: UploadState): void {
    this.#change({ items: this.#state.items.map((item) => (item.id === id ? { ...item, state } : item)) });
  }

  #look(files: readonly File[], meant: boolean): Promise<ChosenFile[]> {
    return Promise.all(
      files.map(async (file) => ({
        id: this.#nextId++,
        file,
        slot: null,
        meant,
        state: await lookAt(file),
      })),
    );
  }

  async #work(waiting: Iterable<Ready>): Promise<void> {
    for (const item of waiting) await this.#upload(item);
  }

  async #upload({ id, slot, file }: Ready): Promise<void> {
    try {
      this.#changeState(id, { kind: "uploading", share: 0 });
      await this.#send(slot, file, (share) => this.#changeState(id, { kind: "uploading", share }));
      this.#changeState(id, { kind: "uploaded" });
      this.#change({ uploaded: this.#state.uploaded + 1 });
    } catch (error) {
      const { message } = friendlyError(error);
      this.#changeState(id, { kind: isRefused(error) ? "refused" : "error", message });
    }
  }
}
