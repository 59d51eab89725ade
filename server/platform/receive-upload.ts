import { createHash } from "node:crypto";
import type { FileProblem, FileType } from "#domain/file-rules.ts";
import { inspectFile, RefusedFile, type Size } from "./inspect-file.ts";
import type { Storage } from "./storage.ts";

/** Returns the pieces of a request's body as they arrive; a second call returns the remaining ones. */
export type Body = () => AsyncIterable<Uint8Array>;

/** Rules for uploads: accepted types, most bytes, and a check of a picture's size. */
type UploadRules<Type extends FileType> = {
  types: readonly Type[];
  bytes: number;
  sizeProblem: (size: Size) => FileProblem | null;
};
/** `size`: bytes that the browser announced, or null. They are not trusted. */
type IncomingFile = { body: Body; size: number | null };
/** `sha256` is in hexadecimal. */
type ReceivedFile<Type extends FileType> = { bytes: number; type: Type; sha256: string };

/**
 * Writes an upload to disk, checks its length, type, pixels and end, and passes it to `take`, after which the draft is
 * deleted. Throws `RefusedFile` for a file that breaks the rules or breaks off, after reading the rest of it, up to
 * `rules.bytes` in all.
 */
export async function receiveUpload<Type extends FileType, Result>(
  storage: Pick<Storage, "withDraft">,
  rules: UploadRules<Type>,
  { body, size }: IncomingFile,
  take: (draft: string, file: ReceivedFile<Type>) => Promise<Result>,
): Promise<Result> {
  let bytes = 0;
  const hash = createHash("sha256");
  async function* checkedPieces() {
    for await (const piece of sentBy(body)) {
      bytes += piece.length;
      if (bytes > rules.bytes) throw new RefusedFile("tooLarge");
      hash.update(piece);
      yield piece;
    }
    if (bytes === 0) throw new RefusedFile("empty");
    if (size !== null && size !== bytes) throw new RefusedFile("cutOff");
  }
  try {
    return await storage.withDraft(checkedPieces(), async (draft) => {
      const type = await checkedType(draft, rules);
      return await take(draft, { bytes, type, sha256: hash.digest("hex") });
    });
  } catch (error) {
    if (error instanceof RefusedFile) await discard(body, rules.bytes - bytes);
    throw error;
  }
}

async function checkedType<Type extends FileType>(draft: string, rules: UploadRules<Type>): Promise<Type> {
  const { type, size } = await inspectFile(draft, rules.types);
  const problem = size && rules.sizeProblem(size);
  if (problem !== null) throw new RefusedFile(problem);
  return type;
}

/** Yields the browser's bytes. If the browser breaks off, the file is refused as cut off. */
export async function* sentBy(body: Body): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body()) yield piece;
  } catch {
    throw new RefusedFile("cutOff");
  }
}

/** Reads the rest of the body, up to `most` bytes: browsers read the answer only after they have sent everything. */
async function discard(body: Body, most: number): Promise<void> {
  let bytes = 0;
  try {
    for await (const piece of body()) {
      bytes += piece.length;
      if (bytes > most) return;
    }
  } catch {
    // The browser broke off: there is nobody to answer.
  }
}
