import type { FileRefusal } from "#domain/file-rules.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { CataloguedError, unanswered } from "./request.ts";

/** Returns the server's reason for refusing a file. */
function errorIn(text: string): Error {
  try {
    const { code, message }: { code?: unknown; message?: unknown } = JSON.parse(text);
    if (typeof code === "string" && typeof message === "string")
      return Object.assign(new Error(message), { code });
  } catch {
    // The answer is a proxy's page, or empty.
  }
  return new CataloguedError("unavailable");
}

/**
 * Sends a file to POST `path`, and returns the answer. `onProgress` receives the share that is sent, from 0 to 1.
 * Rejects with a coded error. Uses XMLHttpRequest, because fetch doesn't report an upload's progress.
 */
export function uploadFile(path: string, file: File, onProgress: (share: number) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-csrf-token", "orpc");
    request.setRequestHeader("x-file-name", encodeURIComponent(file.name));
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener("load", () =>
      request.status === 200
        ? resolve(JSON.parse(request.responseText))
        : reject(errorIn(request.responseText)),
    );
    const broken = () => reject(unanswered());
    for (const end of ["error", "abort", "timeout"]) request.addEventListener(end, broken);
    request.send(file);
  });
}

/** Codes of refusals that are about the file itself. */
const aboutFile = ["invalid-argument", "out-of-range"] as const;

/** Returns why the same file would be refused again; null if it might pass another time. */
function refusalIn(error: unknown): FileRefusal | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const code = aboutFile.find((each) => each === error.code);
  return code ? { code, message: error.message } : null;
}

/** The state of one file's upload; `share` is from 0 to 1. `refused`: sending it again wouldn't help. */
export type UploadState =
  | { kind: "chosen" }
  | { kind: "uploading"; share: number }
  | { kind: "uploaded" }
  | { kind: "error"; message: string }
  | ({ kind: "refused" } & FileRefusal);
export type QueuedFile = { id: number; file: File; state: UploadState };
/** `leftOut`: number of files of the last selection that didn't fit. `uploaded`: successes of the last submit. */
export type QueueState<Item> = { items: readonly Item[]; busy: boolean; leftOut: number; uploaded: number };
export type OnProgress = (share: number) => void;

/** Number of concurrent uploads: browsers open six connections to a server, and other requests need some of them. */
const concurrency = 3;

/** Whether it can still be uploaded. */
export const isOpen = ({ state: { kind } }: QueuedFile): boolean => kind === "chosen" || kind === "error";

/** The chosen files, with the state of their upload. Nothing can be changed while they are sent. */
export abstract class UploadQueue<Item extends QueuedFile> {
  #state: QueueState<Item> = { items: [], busy: false, leftOut: 0, uploaded: 0 };
  #nextId = 1;
  readonly #listeners = new Set<() => void>();

  /** Sends one file; rejects with an error for the person to read. */
  protected abstract send(item: Item, onProgress: OnProgress): Promise<void>;
  /** Whether the next submit uploads it. */
  protected isReady(item: Item): boolean {
    return isOpen(item);
  }

  readonly get = (): QueueState<Item> => this.#state;
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  protected get items(): readonly Item[] {
    return this.#state.items;
  }
  protected get busy(): boolean {
    return this.#state.busy;
  }

  protected newId(): number {
    return this.#nextId++;
  }

  protected change(changes: Partial<QueueState<Item>>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  protected changeItem(id: number, changes: Partial<Item> | { state: UploadState }): void {
    this.change({ items: this.items.map((item) => (item.id === id ? { ...item, ...changes } : item)) });
  }

  remove(id: number): void {
    if (this.busy) return;
    this.change({ items: this.items.filter((item) => item.id !== id), leftOut: 0 });
  }

  /** Uploads the ready files, a few concurrently; a failure doesn't affect the others. Returns the errors. */
  async submit(): Promise<unknown[]> {
    const ready = this.items.filter((item) => this.isReady(item));
    if (this.busy || ready.length === 0) return [];
    this.change({ busy: true, leftOut: 0, uploaded: 0 });
    for (const { id } of ready) this.changeItem(id, { state: { kind: "chosen" } });
    const failures: unknown[] = [];
    // All workers share one iterator, so that each takes the next file.
    const waiting = ready.values();
    const work = async () => {
      for (const item of waiting) await this.#upload(item).catch((error) => failures.push(error));
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    this.change({ busy: false });
    return failures;
  }

  async #upload(item: Item): Promise<void> {
    const { id } = item;
    try {
      this.changeItem(id, { state: { kind: "uploading", share: 0 } });
      await this.send(item, (share) => this.changeItem(id, { state: { kind: "uploading", share } }));
      this.changeItem(id, { state: { kind: "uploaded" } });
      this.change({ uploaded: this.#state.uploaded + 1 });
    } catch (error) {
      const refusal = refusalIn(error);
      const { message } = friendlyError(error);
      this.changeItem(id, { state: refusal ? { kind: "refused", ...refusal } : { kind: "error", message } });
      throw error;
    }
  }
}
