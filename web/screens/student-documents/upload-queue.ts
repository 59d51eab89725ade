import { type DocumentKind, documentKinds, fileProblem, uploadRefusal } from "#domain/document.ts";
import { slotsFor } from "#domain/document-slots.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import type { Slots } from "#domain/progress.ts";
import type { UploadState } from "../../ui/upload-outcome.tsx";

export type ChosenFile = { id: number; file: File; slot: DocumentKind; state: UploadState };
/** `leftOut`: files beyond the six slots at the last choice. `allUploaded`: so ended the last submit. */
export type QueueState = {
  items: readonly ChosenFile[];
  busy: boolean;
  leftOut: number;
  allUploaded: boolean;
};

/** Sends one file; rejects with what the person is to read. */
export type Send = (slot: DocumentKind, file: File, onProgress: (share: number) => void) => Promise<void>;
export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** Uploads at the same time: browsers open six connections to a server, and some are for other things. */
const atOnce = 3;
const isOpen = ({ state }: ChosenFile) => state.kind !== "uploaded";
const reopened = (item: ChosenFile): ChosenFile =>
  isOpen(item) ? { ...item, state: { kind: "chosen" } } : item;
const empty: QueueState = { items: [], busy: false, leftOut: 0, allUploaded: false };

/** The files that somebody has chosen, with a slot for each, and how their upload goes. */
export function createUploadQueue(send: Send) {
  let state = empty;
  let nextId = 1;
  const listeners = new Set<() => void>();

  function change(changes: Partial<QueueState>) {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }
  const changeItem = (id: number, changes: Partial<ChosenFile>) =>
    change({ items: state.items.map((item) => (item.id === id ? { ...item, ...changes } : item)) });
  const chosen = (file: File, slot: DocumentKind): ChosenFile => ({
    id: nextId++,
    file,
    slot,
    state: { kind: "chosen" },
  });

  async function upload({ id, slot, file }: ChosenFile): Promise<void> {
    try {
      const problem = fileProblem(file);
      if (problem) throw uploadRefusal[problem];
      changeItem(id, { state: { kind: "uploading", share: 0 } });
      await send(slot, file, (share) => changeItem(id, { state: { kind: "uploading", share } }));
      changeItem(id, { state: { kind: "uploaded" } });
    } catch (error) {
      changeItem(id, { state: { kind: "error", message: friendlyError(error).message } });
    }
  }

  async function work(waiting: ChosenFile[]): Promise<void> {
    const next = waiting.shift();
    if (!next) return;
    await upload(next);
    await work(waiting);
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Adds files, each for the next slot that is missing; what is done leaves. `slots`: what is there already. */
    add(files: readonly File[], slots: Slots) {
      if (state.busy || files.length === 0) return;
      const kept = state.items.filter(isOpen);
      const free = slotsFor(documentKinds.length, slots).filter((slot) =>
        kept.every((item) => item.slot !== slot),
      );
      const added = files.slice(0, free.length).flatMap((file, at) => {
        const slot = free[at];
        return slot ? [chosen(file, slot)] : [];
      });
      change({ items: [...kept, ...added], leftOut: files.length - added.length, allUploaded: false });
    },
    /** Adds one file for a certain slot, in place of another one that was chosen for it. */
    addTo(slot: DocumentKind, file: File) {
      if (state.busy) return;
      const kept = state.items.filter((item) => isOpen(item) && item.slot !== slot);
      change({ items: [...kept, chosen(file, slot)], leftOut: 0, allUploaded: false });
    },
    /** Gives a file another slot; the one that had it gets the first one's. */
    assign(id: number, slot: DocumentKind) {
      const former = state.items.find((item) => item.id === id)?.slot;
      if (state.busy || !former) return;
      change({
        items: state.items.map((item) => {
          if (item.id === id) return { ...item, slot };
          return item.slot === slot ? { ...item, slot: former } : item;
        }),
      });
    },
    remove(id: number) {
      if (!state.busy) change({ items: state.items.filter((item) => item.id !== id), leftOut: 0 });
    },
    /** Uploads what is not uploaded yet, a few at once; one that fails leaves the others alone. */
    async submit(): Promise<void> {
      const waiting = state.items.filter(isOpen);
      if (state.busy || waiting.length === 0) return;
      change({ items: state.items.map(reopened), busy: true, leftOut: 0, allUploaded: false });
      await Promise.all(Array.from({ length: atOnce }, () => work(waiting)));
      change({ busy: false, allUploaded: !state.items.some(isOpen) });
    },
  };
}
