import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { pictureLimits, pictureRefusal, pictureSizeProblem, pictureTypes } from "#domain/auction-picture.ts";
import { type DocumentType, uploadRefusal } from "#domain/document.ts";
import type { PictureMaker } from "#server/features/auctions/pictures/picture-maker.ts";
import { makeAndStore } from "#server/features/auctions/pictures/upload-picture.ts";
import { documentRules } from "#server/features/documents/commands/upload.ts";
import type { Storage } from "#server/platform/storage.ts";
import { createUploadValidator } from "#server/platform/upload-validator.ts";
import { refuse } from "./row.ts";

export type FileParts = {
  storage: Pick<Storage, "keep" | "withDraft" | "take">;
  pictures: Pick<PictureMaker, "make">;
};

/** Stores files for a dry run: they are checked and pictures are made, but nothing is kept. */
export const keepingNothing = (storage: FileParts["storage"]): FileParts["storage"] => ({
  withDraft: storage.withDraft,
  keep: async (_key, source) => {
    await finished(Readable.from(source).resume());
  },
  take: async () => {},
});

/** The file on this machine; refuses what is not there. A link must not lead out of the folder either. */
async function locate(folder: string, path: string): Promise<string> {
  const missing = () => refuse("its file is missing");
  const root = await realpath(join(folder, "files")).catch(missing);
  const found = await realpath(join(root, path)).catch(missing);
  return found.startsWith(root + sep) && (await stat(found)).isFile() ? found : missing();
}

const pictureRules = { types: pictureTypes, bytes: pictureLimits.bytes, sizeProblem: pictureSizeProblem };

/** Takes a document into the store, by the check of an upload; refuses it otherwise. */
export async function takeDocument(
  { storage }: FileParts,
  folder: string,
  path: string,
  storageKey: string,
): Promise<{ size: number; mediaType: DocumentType }> {
  const file = await locate(folder, path);
  const validator = createUploadValidator(documentRules, null);
  try {
    await storage.keep(
      storageKey,
      validator.through(() => createReadStream(file)),
    );
  } catch (error) {
    const problem = validator.problem();
    if (problem === null) throw error;
    refuse(uploadRefusal[problem].message);
  }
  const recognised = validator.result();
  if (recognised === null) throw new Error("a file ended without being recognised");
  return { size: recognised.bytes, mediaType: recognised.type };
}

const importer = { userId: "import", address: "import" };

/** Makes a picture ready as an upload does and takes it into the store; refuses it otherwise. Pixels of the original. */
export async function takePicture(
  parts: FileParts,
  folder: string,
  path: string,
  id: string,
): Promise<{ width: number; height: number }> {
  const file = await locate(folder, path);
  const validator = createUploadValidator(pictureRules, null);
  const through = validator.through(() => createReadStream(file));
  const made = await parts.storage
    .withDraft(through, (draft) => makeAndStore(parts, importer, id, draft))
    .catch((error: unknown) => {
      const problem = validator.problem();
      if (problem === null) throw error;
      return refuse(pictureRefusal[problem].message);
    });
  if (made.kind === "damaged") return refuse(pictureRefusal.damaged.message);
  return { width: made.width, height: made.height };
}
