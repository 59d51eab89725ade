import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

/** Creates a folder for incoming files, each of which stays only until it is complete or has failed. */
export async function createDrafts(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });

  async function write(draft: string, source: AsyncIterable<Uint8Array>) {
    // Opened here, so that a source that fails immediately can't leave a file that is created a moment later.
    const file = await open(draft, "wx", 0o600);
    await pipeline(source, file.createWriteStream());
  }

  return {
    /** Writes the source to disk, passes the complete file to `take`, and in any case removes what is left of it. */
    async with<Result>(
      source: AsyncIterable<Uint8Array>,
      take: (draft: string) => Promise<Result>,
    ): Promise<Result> {
      const draft = join(folder, randomUUID());
      try {
        await write(draft, source);
        return await take(draft);
      } finally {
        await rm(draft, { force: true });
      }
    },

    /** Removes files from before that time, which a killed process has left behind. */
    async removeOlder(than: Date): Promise<void> {
      const names = await readdir(folder);
      await Promise.all(
        names.map(async (name) => {
          const path = join(folder, name);
          // Its request may have removed it meanwhile.
          const stats = await stat(path).catch(() => null);
          if (stats && stats.mtime < than) await rm(path, { force: true });
        }),
      );
    },
  };
}

/** Moves a file within one file system. Afterwards it is complete in its new place, even after a power failure. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Until now it may have been only in memory, because most drafts are never kept.
  await syncToDisk(from);
  await rename(from, to);
  await syncToDisk(folder);
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
