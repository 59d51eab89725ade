import { createReadStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import type { DriverContract } from "flydrive/types";
import { createDrafts, moveDurably } from "./drafts.ts";
import type { Environment } from "./environment.ts";

export type Storage = Awaited<ReturnType<typeof createStorage>>;

/** `draftsIn`: where a file is written before it is whole. `take` moves it from there into the store. */
type Store = {
  disk: Disk;
  draftsIn: string;
  take(draft: string, key: string): Promise<void>;
};

async function folderStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const driver: DriverContract = new FSDriver({ location: folder, visibility: "private" });
  return {
    disk: new Disk(driver),
    // On the same file system, so that moving takes nothing.
    draftsIn: join(folder, "incoming"),
    take: (draft, key) => moveDurably(draft, join(folder, key)),
  };
}

/** `s3://KEY:SECRET@HOST/BUCKET?region=REGION`; `insecure=true` for a store that speaks plain http. */
async function s3Store(address: URL, draftsIn: string): Promise<Store> {
  // Loaded only where it is used: the library is large.
  const { S3Driver } = await import("flydrive/drivers/s3");
  const scheme = address.searchParams.get("insecure") === "true" ? "http" : "https";
  const driver: DriverContract = new S3Driver({
    credentials: {
      accessKeyId: decodeURIComponent(address.username),
      secretAccessKey: decodeURIComponent(address.password),
    },
    endpoint: `${scheme}://${address.host}`,
    // Stores other than Amazon's have no host name for each bucket, nor its newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    region: address.searchParams.get("region") ?? "us-east-1",
    bucket: decodeURIComponent(address.pathname.slice(1)),
    supportsACL: false,
    visibility: "private",
  });
  const disk = new Disk(driver);
  return {
    disk,
    draftsIn,
    // Such a store wants to know the length before the first byte.
    take: async (draft, key) => {
      const { size } = await stat(draft);
      await disk.putStream(key, createReadStream(draft), { contentLength: size });
    },
  };
}

/** Where people's files are kept: DATA_DIR/files, or what STORAGE_URL says. */
export async function createStorage({ storageUrl, dataDir }: Pick<Environment, "storageUrl" | "dataDir">) {
  const address = storageUrl === null ? null : new URL(storageUrl);
  const { disk, draftsIn, take } =
    address?.protocol === "s3:"
      ? await s3Store(address, join(dataDir, "incoming"))
      : await folderStore(address ? fileURLToPath(address) : join(dataDir, "files"));
  const drafts = await createDrafts(draftsIn);

  /** Whether a file can be written and read back. */
  async function answers(): Promise<boolean> {
    const key = `ready/${process.pid}`;
    try {
      await disk.put(key, "ready");
      return (await disk.get(key)) === "ready";
    } catch {
      return false;
    }
  }

  /**
   * Takes in a file of unknown length as it streams. When this resolves, it is in the store under its key and on
   * disk; when the source or the store fails, nothing of it is left. Holds a piece of it at a time in memory.
   */
  const keep = (key: string, source: AsyncIterable<Uint8Array>): Promise<void> =>
    drafts.with(source, (draft) => take(draft, key));

  return {
    disk,
    answers,
    keep,
    /** Writes a source to disk for work that needs the whole file; when that has ended, the file goes. */
    withDraft: drafts.with,
    /** Moves a file into the store that such work made beside the draft. */
    take,
    removeDrafts: drafts.removeOlder,
  };
}
