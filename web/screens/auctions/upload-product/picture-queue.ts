import { pictureFileProblem, pictureRefusal, pictureStartProblem } from "#domain/auction-picture.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { startLength } from "#domain/file-start.ts";
import { friendlyError } from "#domain/friendly-error.ts";

/**
 * How far a chosen picture is; `share` of its bytes, from 0 to 1. `pictureId` is the server's for it. `refused`: it
 * can't be taken, sent or not.
 */
export type PictureState =
  | { kind: "chosen" }
  | { kind: "uploading"; share: number }
  | { kind: "uploaded"; pictureId: string }
  | { kind: "error"; message: string }
  | { kind: "refused"; code: ErrorCode; message: string };
/** `preview`: an address of this tab that shows it. */
export type ChosenPicture = { id: number; file: File; preview: string; state: PictureState };
export type PicturesState = { items: readonly ChosenPicture[]; busy: boolean };

type Parts = {
  /** Sends one picture; the server's id for it. Rejects with what the person is to read. */
  send: (file: File, onProgress: (share: number) => void) => Promise<string>;
  preview: { show(file: File): string; drop(address: string): void };
};
export type PictureQueue = ReturnType<typeof createPictureQueue>;

/** Uploads at the same time: browsers open six connections to a server, and some are for other things. */
const atOnce = 3;
/** Beyond what a product can have, so that too many are told of in words; not without end. */
const most = 20;

/** What can be told of a file without sending it. */
async function refusalOf(file: File) {
  const start = new Uint8Array(await file.slice(0, startLength).arrayBuffer());
  const problem = pictureFileProblem(file) ?? pictureStartProblem(start);
  return problem && pictureRefusal[problem];
}

const reopened = (item: ChosenPicture): ChosenPicture =>
  item.state.kind === "error" ? { ...item, state: { kind: "chosen" } } : item;

/** The pictures that somebody has chosen for a product, in their order, and how their upload goes. */
export function createPictureQueue({ send, preview }: Parts) {
  let state: PicturesState = { items: [], busy: false };
  let nextId = 1;
  const listeners = new Set<() => void>();

  function change(changes: Partial<PicturesState>) {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  }
  const changeState = (id: number, to: PictureState) =>
    change({ items: state.items.map((item) => (item.id === id ? { ...item, state: to } : item)) });

  async function look(id: number, file: File): Promise<void> {
    const refusal = await refusalOf(file);
    const isWaiting = state.items.some((item) => item.id === id && item.state.kind === "chosen");
    if (refusal && isWaiting) changeState(id, { kind: "refused", ...refusal });
  }

  /** Why it was not taken; null when it was. */
  async function upload({ id, file }: ChosenPicture): Promise<unknown> {
    try {
      changeState(id, { kind: "uploading", share: 0 });
      const pictureId = await send(file, (share) => changeState(id, { kind: "uploading", share }));
      changeState(id, { kind: "uploaded", pictureId });
      return null;
    } catch (error) {
      changeState(id, { kind: "error", message: friendlyError(error).message });
      return error;
    }
  }

  async function work(waiting: Iterable<ChosenPicture>, failures: unknown[]): Promise<void> {
    for (const item of waiting) {
      const failure = await upload(item);
      if (failure !== null) failures.push(failure);
    }
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    add(files: readonly File[]) {
      if (state.busy) return;
      const added = files.slice(0, most - state.items.length).map(
        (file): ChosenPicture => ({
          id: nextId++,
          file,
          preview: preview.show(file),
          state: { kind: "chosen" },
        }),
      );
      change({ items: [...state.items, ...added] });
      for (const { id, file } of added) void look(id, file);
    },
    /** Trades places with the one before (-1) or after (1) it. */
    move(id: number, by: -1 | 1) {
      const from = state.items.findIndex((item) => item.id === id);
      const [item, other] = [state.items[from], state.items[from + by]];
      if (state.busy || !item || !other) return;
      change({ items: state.items.with(from, other).with(from + by, item) });
    },
    remove(id: number) {
      const item = state.items.find((each) => each.id === id);
      if (state.busy || !item) return;
      preview.drop(item.preview);
      change({ items: state.items.filter((each) => each !== item) });
    },
    clear() {
      for (const item of state.items) preview.drop(item.preview);
      change({ items: [] });
    },
    /** The server does not know them any more: the next submit sends them again. */
    forgetUploads() {
      change({ items: state.items.map((item) => ({ ...item, state: { kind: "chosen" } })) });
    },
    /**
     * Uploads what is not uploaded yet, a few at once, and returns the ids of all in their order. When one is not
     * taken the others are sent nevertheless, and it rejects with the first reason.
     */
    async submit(): Promise<string[]> {
      change({ items: state.items.map(reopened), busy: true });
      // One iterator for all that work at once: each takes the next.
      const waiting = state.items.filter((item) => item.state.kind === "chosen").values();
      const failures: unknown[] = state.items.flatMap((item) =>
        item.state.kind === "refused" ? item.state : [],
      );
      await Promise.all(Array.from({ length: atOnce }, () => work(waiting, failures)));
      change({ busy: false });
      if (failures.length > 0) throw failures[0];
      return state.items.flatMap((item) => (item.state.kind === "uploaded" ? [item.state.pictureId] : []));
    },
  };
}
