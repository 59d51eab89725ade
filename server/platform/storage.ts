import { constants } from "node:fs";
import { access, mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Disk, errors } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import type { DriverContract } from "flydrive/types";
import { createDrafts, moveDurably } from "./drafts.ts";
import type { Environment } from "./environment.ts";
import { errorCode } from "./error-code.ts";

export type Storage = Awaited<ReturnType<typeof createStorage>>;

/** The reason why the store can't be used; `sentence` says what to check. */
type StorageProblem = { kind: "refused" | "unreachable"; sentence: string };

export type Store = {
  disk: Disk;
  /** The folder in which a file is written until it is complete. */
  draftsIn: string;
  /** Moves a draft into the store. A failed move leaves nothing of it under its key. */
  take(draft: string, key: string): Promise<void>;
  /** Checks without writing whether the store can be used. Null if it can. */
  problem(): Promise<StorageProblem | null>;
  /** Removes what is left of a `take` that a process began before that time and did not finish. */
  removeUnfinished(before: Date): Promise<void>;
  /** Free bytes of its disk; null if unknown. */
  freeBytes(): Promise<number | null>;
};

async function folderStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const driver: DriverContract = new FSDriver({ location: folder, visibility: "private" });
  return {
    disk: new Disk(driver),
    // On the same file system, so that moving copies nothing.
    draftsIn: join(folder, "incoming"),
    take: (draft, key) => moveDurably(draft, join(folder, key)),
    problem: () =>
      access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
        () => null,
        (error: unknown) => ({
          kind: "refused",
          sentence: `The folder ${folder} can't be used: ${errorCode(error)}. Check that it is there and who may write to it.`,
        }),
      ),
    removeUnfinished: async () => {},
    async freeBytes() {
      // Null while the folder is away, which others that need it report.
      const disk = await statfs(folder).catch(() => null);
      return disk && disk.bavail * disk.bsize;
    },
  };
}

/** Opens the store of people's files: DATA_DIR/files, or the one that STORAGE_URL names. */
export async function createStorage({ storageUrl, dataDir }: Pick<Environment, "storageUrl" | "dataDir">) {
  const address = storageUrl === null ? null : new URL(storageUrl);
  // Loaded only where it is used: the library is large.
  const { disk, draftsIn, problem, ...store } =
    address?.protocol === "s3:"
      ? (await import("./s3-store.ts")).openS3Store(address, join(dataDir, "incoming"))
      : await folderStore(address ? fileURLToPath(address) : join(dataDir, "files"));
  const drafts = await createDrafts(draftsIn);

  async function take(draft: string, key: string): Promise<void> {
    try {
      await store.take(draft, key);
    } catch (error) {
      throw new errors.E_CANNOT_WRITE_FILE([key], { cause: error });
    }
  }

  return {
    disk,
    problem,
    freeBytes: store.freeBytes,
    /**
     * Stores a file of unknown length as it streams. When this resolves, it is in the store under its key and on disk;
     * if the source or the store fails, nothing of it is left. Holds one piece at a time in memory.
     */
    keep: (key: string, source: AsyncIterable<Uint8Array>): Promise<void> =>
      drafts.with(source, (draft) => take(draft, key)),
    /** Writes a source to disk for work that needs the whole file, and deletes it when the work has ended. */
    withDraft: drafts.with,
    /** Moves the draft, or a file that such work made beside it, into the store. */
    take,
    /** Removes what killed processes have left behind before that time. */
    async removeUnfinished(before: Date): Promise<void> {
      await drafts.removeOlder(before);
      await store.removeUnfinished(before);
    },
  };
}
