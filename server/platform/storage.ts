import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import type { Environment } from "./environment.ts";

export type Storage = Awaited<ReturnType<typeof createStorage>>;

/** Where people's files are kept: DATA_DIR/files, or the folder of STORAGE_URL. */
export async function createStorage({ storageUrl, dataDir }: Pick<Environment, "storageUrl" | "dataDir">) {
  const folder = storageUrl ? fileURLToPath(storageUrl) : join(dataDir, "files");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const disk = new Disk(new FSDriver({ location: folder, visibility: "private" }));

  /** Whether a file can be written and read back. */
  async function answers(): Promise<boolean> {
    const key = `.ready-${process.pid}`;
    try {
      await disk.put(key, "ready");
      return (await disk.get(key)) === "ready";
    } catch {
      return false;
    }
  }

  return { disk, answers };
}
