import {
  type DocumentKind,
  documentKinds,
  fileProblem,
  startProblem,
  uploadRefusal,
} from "#domain/document.ts";
import { slotsFor } from "#domain/document-slots.ts";
import { startLength } from "#domain/file-rules.ts";
import type { Slots } from "#domain/progress.ts";
import {
  isOpen,
  type OnProgress,
  type QueuedFile,
  UploadQueue,
  type UploadState,
} from "../../lib/upload-queue.ts";

/** `slot` is null until one is chosen. `meant`: chosen for exactly this slot, by its own button. */
export type ChosenFile = QueuedFile & { slot: DocumentKind | null; meant: boolean };

/** Sends one file; rejects with an error for the person to read. */
export type Send = (slot: DocumentKind, file: File, onProgress: OnProgress) => Promise<void>;

/** Maximum number of files of one choice that are checked. */
const maxFiles = 20;

/** Whether the next submit will upload it. */
export const isReady = (item: ChosenFile): boolean => isOpen(item) && item.slot !== null;

const inSlot = (item: ChosenFile, slot: DocumentKind | null): ChosenFile => ({ ...item, slot });

/** Checks a file by the rules of documents, without sending it. */
export async function checked(file: File): Promise<UploadState> {
  const start = await file.slice(0, startLength).arrayBuffer();
  const problem = fileProblem(file) ?? startProblem(new Uint8Array(start));
  return problem ? { kind: "refused", ...uploadRefusal[problem] } : { kind: "chosen" };
}

/** The documents that a student has chosen, with a slot for each. */
export class DocumentQueue extends UploadQueue<ChosenFile> {
  readonly #send: Send;

  constructor(send: Send) {
    super();
    this.#send = send;
  }

  protected override isReady(item: ChosenFile): boolean {
    return isReady(item);
  }

  protected override async send({ slot, file }: ChosenFile, onProgress: OnProgress): Promise<void> {
    if (slot) await this.#send(slot, file, onProgress);
  }

  /** Adds files, each for the slot that its name suggests or the next empty one; finished ones are removed. */
  async add(files: readonly File[], slots: Slots): Promise<void> {
    if (files.length === 0) return;
    const candidates = await this.#check(files.slice(0, maxFiles), false);
    if (this.busy) return;
    const openItems = this.items.filter(isOpen);
    const good = candidates.filter(isOpen).slice(0, documentKinds.length - openItems.length);
    const reservedSlots = openItems.flatMap(({ slot }) => slot ?? []);
    const suggestions = slotsFor(
      good.map(({ file }) => file.name),
      slots,
      reservedSlots,
    );
    const uploads = candidates
      .filter((item) => !isOpen(item) || good.includes(item))
      .map((item) => inSlot(item, suggestions[good.indexOf(item)] ?? null));
    this.change({ items: [...openItems, ...uploads], leftOut: files.length - uploads.length, uploaded: 0 });
  }

  /** Adds one file for a certain slot. An earlier file for this slot stays, without a slot. */
  async addTo(slot: DocumentKind, file: File): Promise<void> {
    const candidates = await this.#check([file], true);
    if (this.busy) return;
    const uploads = candidates.map((item) => inSlot(item, isOpen(item) ? slot : null));
    const isTaken = uploads.some((item) => item.slot === slot);
    const others = this.items
      .filter(isOpen)
      .map((item) => (isTaken && item.slot === slot ? { ...item, slot: null, meant: false } : item));
    this.change({ items: [...others, ...uploads], leftOut: 0, uploaded: 0 });
  }

  /** Gives a file another slot; the file that had this slot gets the first one's. */
  assign(id: number, slot: DocumentKind): void {
    const file = this.items.find((item) => item.id === id);
    if (this.busy || !file) return;
    this.change({
      items: this.items.map((item) => {
        if (item === file) return { ...item, slot, meant: false };
        return isOpen(item) && item.slot === slot ? { ...item, slot: file.slot, meant: false } : item;
      }),
    });
  }

  #check(files: readonly File[], meant: boolean): Promise<ChosenFile[]> {
    return Promise.all(
      files.map(async (file) => ({
        id: this.newId(),
        file,
        slot: null,
        meant,
        state: await checked(file),
      })),
    );
  }
}
