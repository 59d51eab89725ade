import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

/** A folder for files that are on their way in: each is there only until it is whole or has failed. */
export async function createDrafts(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });

  async function write(draft: string, source: AsyncIterable<Uint8Array>) {
    // Opened here, so that a source that fails at once can't leave a file that is created a moment later.
    const file = await open(draft, "wx", 0o600);
    await pipeline(source, file.createWriteStream());
  }

  return {
    /** Writes the source to disk, hands over the whole file, and removes what is left of it in any case. */
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

    /** Removes what a process that was killed has left behind before that moment. */
    async removeOlder(than: Date): Promise<void> {
      const names = await readdir(folder);
      await Promise.all(
        names.map(async (name) => {
          const path = join(folder, name);
          // Another one may be done with it meanwhile.
          const stats = await stat(path).catch(() => null);
          if (stats && stats.mtime < than) await rm(path, { force: true });
        }),
      );
    },
  };
}

/** Moves a file on one file system: afterwards it is whole in its new place, even when the power goes. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Until now it may have been in memory alone: most drafts never come to stay.
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
