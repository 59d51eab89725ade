import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import type { DriverContract } from "flydrive/types";
import type { Environment } from "./environment.ts";

export type Storage = Awaited<ReturnType<typeof createStorage>>;

async function folderDriver(folder: string): Promise<DriverContract> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return new FSDriver({ location: folder, visibility: "private" });
}

/** `s3://KEY:SECRET@HOST/BUCKET?region=REGION`; `insecure=true` for a store that speaks plain http. */
async function s3Driver(address: URL): Promise<DriverContract> {
  // Loaded only where it is used: the library is large.
  const { S3Driver } = await import("flydrive/drivers/s3");
  const scheme = address.searchParams.get("insecure") === "true" ? "http" : "https";
  return new S3Driver({
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
}

/** Where people's files are kept: DATA_DIR/files, or what STORAGE_URL says. */
export async function createStorage({ storageUrl, dataDir }: Pick<Environment, "storageUrl" | "dataDir">) {
  const address = storageUrl === null ? null : new URL(storageUrl);
  const driver =
    address?.protocol === "s3:"
      ? await s3Driver(address)
      : await folderDriver(address ? fileURLToPath(address) : join(dataDir, "files"));
  const disk = new Disk(driver);

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

  return { disk, answers };
}
