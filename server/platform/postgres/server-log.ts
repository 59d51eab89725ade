import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { isRoot } from "./account.ts";
import { orNullIfMissing, usingFile } from "./files.ts";
import type { Location } from "./location.ts";

const largest = 10_000_000;

/** Opens the server's log to append to. One over 10 MB is put aside first, in place of the one put aside before. */
export async function openLog({ cluster, account }: Location): Promise<FileHandle> {
  const path = logPath(cluster);
  const found = await orNullIfMissing(lstat(path));
  if (found && found.size > largest) await rename(path, `${path}.1`);
  // The folder is another user's when root starts the server: a link in it must not lead root elsewhere.
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const log = await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  if (isRoot()) await log.chown(account.uid, account.gid);
  return log;
}

/** The last lines that were written to the log from `offset` (bytes) on. */
export async function lastLines({ cluster }: Location, offset: number): Promise<string> {
  const { O_NOFOLLOW, O_RDONLY } = constants;
  return usingFile(await open(logPath(cluster), O_NOFOLLOW | O_RDONLY), async (log) => {
    const { size } = await log.stat();
    const buffer = Buffer.alloc(Math.min(Math.max(size - offset, 0), 4096));
    await log.read(buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString().trim().split("\n").slice(-8).join("\n");
  });
}

function logPath(cluster: string): string {
  return join(cluster, "server.log");
}
