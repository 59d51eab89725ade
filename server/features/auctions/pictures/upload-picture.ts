import { hash, randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import {
  type PictureProblem,
  pictureLimits,
  pictureRefusal,
  pictureSizeProblem,
  pictureTypes,
} from "#domain/auction-picture.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { mayTrade } from "#domain/permission.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { requireFreeSpace, withUploadAllowance } from "#server/features/account/upload-share.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { requireClean } from "#server/features/scanning/require-clean.ts";
import { isDatabaseFailure } from "#server/platform/error-code.ts";
import { RefusedFile } from "#server/platform/inspect-file.ts";
import { type Body, receiveUpload } from "#server/platform/receive-upload.ts";
import type { Storage } from "#server/platform/storage.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { auctionPicture } from "../tables.ts";
import { folderOf, keyOf, pictureFiles } from "./picture-files.ts";
import type { PictureMaker } from "./picture-maker.ts";

/** `size` is in bytes, as the browser announced it; null where it did not. */
type Upload = { size: number | null; body: Body };
type Size = { width: number; height: number };
/** `width` and `height` are the original's in pixels, turned upright. */
type UploadedPicture = Size & { id: string };

const refused = (problem: PictureProblem) => Refusal.of(pictureRefusal[problem]);
export const pictureRules = {
  types: pictureTypes,
  bytes: pictureLimits.bytes,
  sizeProblem: pictureSizeProblem,
};

/**
 * Uploads a picture for a product that is about to be listed: streams it to disk, scans it for viruses, makes it in
 * every width, and stores and records it. A refused or aborted upload leaves nothing; a picture that is never used is
 * deleted a day later.
 */
export async function uploadPicture(
  services: Services,
  actor: Actor,
  upload: Upload,
): Promise<UploadedPicture> {
  const ownerId = actor.userId;
  await requireFreeSpace(services);
  const allowance = requireAllowance(await services.limits.picture(ownerId));
  const id = randomUUID();
  try {
    const picture = await receiveUpload(services.storage, pictureRules, upload, (draft, { bytes }) =>
      withUploadAllowance(services, actor, bytes, async () => {
        const detail: AuditDetail = { kind: "picture" };
        const scan = await requireClean(services, actor, draft, {
          infected: pictureRefusal.infected,
          detail,
        });
        return { scan, ...(await makeAndStore(services, actor, id, draft)) };
      }),
    );
    if (picture.kind === "damaged") throw refused("damaged");
    const { width, height } = picture;
    await record(services, ownerId, id, picture);
    return { id, width, height };
  } catch (error) {
    if (error instanceof RefusedFile) throw refused(error.problem);
    // A refusal because too many pictures wait is not the uploader's fault.
    if (error instanceof Refusal && error.code === "resource-exhausted") await allowance.refund();
    // After a database failure it is unknown whether the picture was recorded: a connection can break while its commit
    // still comes through. The nightly tidy-up deletes such files, and those of failures here, once the answer is
    // certain.
    if (!isDatabaseFailure(error)) await removeFiles(services, id).catch(() => {});
    throw error;
  }
}

const removeFiles = ({ storage }: Services, id: string) => storage.disk.deleteAll(folderOf(id));

type MakingParts = { pictures: Pick<PictureMaker, "make">; storage: Pick<Storage, "take"> };

type StoredPicture = { kind: "made"; width: number; height: number; files: readonly KeptFile[] };
type KeptFile = { key: string; mediaType: string; size: number; sha256: string };

/** Makes the files beside the draft and moves them into the store; deletes the ones that are left beside the draft. */
export async function makeAndStore(
  { pictures, storage }: MakingParts,
  actor: Actor,
  id: string,
  draft: string,
): Promise<StoredPicture | { kind: "damaged" }> {
  const files = pictureFiles.map(({ width, format, name }) => ({
    from: `${draft}.${name}`,
    key: keyOf(id, width, format),
    mediaType: format === "webp" ? "image/webp" : "image/jpeg",
  }));
  try {
    const paths = files.map(({ from }) => from);
    const picture = await pictures.make(actor, draft, paths);
    if (picture.kind === "damaged") return picture;
    return {
      ...picture,
      files: await Promise.all(
        files.map(async ({ from, key, mediaType }) => {
          const bytes = await readFile(from);
          await storage.take(from, key);
          return { key, mediaType, size: bytes.length, sha256: hash("sha256", bytes) };
        }),
      ),
    };
  } finally {
    await Promise.all(files.map(({ from }) => rm(from, { force: true })));
  }
}

const record = (
  { database }: Services,
  ownerId: string,
  id: string,
  { width, height, files, scan }: StoredPicture & { scan: "clean" | "off" },
): Promise<void> =>
  database.transaction(async (tx) => {
    await lockActor(tx, { userId: ownerId }, mayTrade);
    const columns = { purpose: "auctionPicture", recordId: id, ownerId, scan } as const;
    await tx.insert(storedFile).values(files.map((file) => ({ ...file, ...columns })));
    await tx.insert(auctionPicture).values({ id, ownerId, width, height });
  });
