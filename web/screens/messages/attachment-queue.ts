import { type OnProgress, type QueuedFile, UploadQueue } from "../../lib/upload-queue.ts";
import { checked } from "../student-documents/document-queue.ts";

/** `fileId`: the server's id for it, once uploaded. */
export type Attachment = QueuedFile & { fileId: string | null };

/** Sends one file and resolves to the server's id for it. Rejects with an error for the person to read. */
export type SendFile = (file: File, onProgress: OnProgress) => Promise<string>;

/** The chosen files of a message, which are uploaded when the message is sent. */
export class AttachmentQueue extends UploadQueue<Attachment> {
  readonly #most: number;
  readonly #send: SendFile;

  /** `most`: maximum number of files in one message. */
  constructor(most: number, send: SendFile) {
    super();
    this.#most = most;
    this.#send = send;
  }

  protected override async send({ id, file }: Attachment, onProgress: OnProgress): Promise<void> {
    this.changeItem(id, { fileId: await this.#send(file, onProgress) });
  }

  async add(files: readonly File[]): Promise<void> {
    if (this.busy) return;
    const candidates = files.slice(0, this.#most);
    const states = await Promise.all(candidates.map(checked));
    // Others may have been added while these were checked.
    const room = this.#most - this.items.length;
    if (this.busy) return;
    const attachments = candidates.slice(0, room).map(
      (file, index): Attachment => ({
        id: this.newId(),
        file,
        fileId: null,
        state: states[index] ?? { kind: "chosen" },
      }),
    );
    this.change({ items: [...this.items, ...attachments], leftOut: files.length - attachments.length });
  }

  clear(): void {
    this.change({ items: [], leftOut: 0, uploaded: 0 });
  }

  /** Marks all as not uploaded, because the server no longer has them: the next try sends them again. */
  dropUploads(): void {
    this.change({
      items: this.items.map((item) => ({ ...item, fileId: null, state: { kind: "chosen" } })),
    });
  }

  /** Uploads the remaining files. Returns all ids in order, or null if one of the files failed or is refused. */
  async upload(): Promise<string[] | null> {
    await this.submit();
    const ids = this.items.flatMap(({ fileId }) => fileId ?? []);
    return ids.length === this.items.length ? ids : null;
  }
}
