import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { pictureRefusal } from "#domain/auction-picture.ts";
import { type DocumentType, uploadRefusal } from "#domain/document.ts";
import type { FileProblem, FileRefusal } from "#domain/file-rules.ts";
import type { PictureMaker } from "#server/features/auctions/pictures/picture-maker.ts";
import { makeAndStore, pictureRules } from "#server/features/auctions/pictures/upload-picture.ts";
import { documentRules } from "#server/features/documents/commands/store-upload.ts";
import { RefusedFile } from "#server/platform/inspect-file.ts";
import { receiveUpload } from "#server/platform/receive-upload.ts";
import type { Storage } from "#server/platform/storage.ts";
import { refuse } from "./row.ts";

export type FileParts = {
  storage: Pick<Storage, "withDraft" | "take">;
  pictures: Pick<PictureMaker, "make">;
};

/** Returns a store for a dry run: files are checked and pictures are made, but nothing is stored. */
export const dryRunStorage = (storage: FileParts["storage"]): FileParts["storage"] => ({
  withDraft: storage.withDraft,
  take: async () => {},
});

/** Finds the file on this machine, and refuses a missing one. Links must not lead out of the folder either. */
async function locate(folder: string, path: string): Promise<string> {
  const missing = () => refuse("its file is missing");
  const root = await realpath(join(folder, "files")).catch(missing);
  const target = await realpath(join(root, path)).catch(missing);
  return target.startsWith(root + sep) && (await stat(target)).isFile() ? target : missing();
}

async function bodyOf(folder: string, path: string) {
  const file = await locate(folder, path);
  return { body: () => createReadStream(file), size: null };
}

const refuseFile = (refusals: Record<FileProblem, FileRefusal>) => (error: unknown) => {
  if (error instanceof RefusedFile) return refuse(refusals[error.problem].message);
  throw error;
};

/** Stores a document if it passes the check of an upload; refuses it otherwise. */
export async function takeDocument(
  { storage }: FileParts,
  folder: string,
  path: string,
  storageKey: string,
): Promise<{ size: number; mediaType: DocumentType }> {
  const body = await bodyOf(folder, path);
  const { bytes, type } = await receiveUpload(storage, documentRules, body, async (draft, file) => {
    await storage.take(draft, storageKey);
    return file;
  }).catch(refuseFile(uploadRefusal));
  return { size: bytes, mediaType: type };
}

const importer = { userId: "import", address: "import" };

/** Converts a picture as an upload does and stores it; refuses it otherwise. Returns the pixels of the original. */
export async function takePicture(
  parts: FileParts,
  folder: string,
  path: string,
  id: string,
): Promise<{ width: number; height: number }> {
  const body = await bodyOf(folder, path);
  const picture = await receiveUpload(parts.storage, pictureRules, body, (draft) =>
    makeAndStore(parts, importer, id, draft),
  ).catch(refuseFile(pictureRefusal));
  if (picture.kind === "damaged") return refuse(pictureRefusal.damaged.message);
  return { width: picture.width, height: picture.height };
}
