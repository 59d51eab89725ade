import type { DriveFile } from "flydrive";
import { mayDeleteFiles } from "./backup-lock.ts";
import type { Reader } from "./database.ts";
import type { Storage } from "./storage.ts";

/** One folder of the store, and which of its files have a record. */
export type Recorded = {
  db: Reader;
  folder: string;
  recordedAmong(keys: readonly string[]): Promise<ReadonlySet<string>>;
};

const day = 24 * 60 * 60 * 1000;
/** Files that are looked up at once. */
const batch = 500;

/** The moment before which nothing can still be on its way: a request takes minutes at most. */
export const dayBefore = (now: Date): Date => new Date(now.getTime() - day);

/** Deletes those of the files that no record names; while a backup is being made, none: they go the next night. */
export async function removeUnrecorded(
  { disk }: Storage,
  { db, recordedAmong }: Recorded,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const recorded = await recordedAmong(keys);
  const unrecorded = keys.filter((key) => !recorded.has(key));
  if (unrecorded.length === 0 || !(await mayDeleteFiles(db))) return;
  await Promise.all(unrecorded.map((key) => disk.delete(key)));
}

/** Every file of a folder of the store, a batch at a time. */
export async function* storedFiles(disk: Storage["disk"], folder: string): AsyncGenerator<DriveFile[]> {
  let token: string | undefined;
  do {
    const options = { recursive: true, ...(token !== undefined && { paginationToken: token }) };
    const page = await disk.listAll(folder, options);
    let files: DriveFile[] = [];
    for (const object of page.objects) {
      if (object.isFile) files.push(object);
      if (files.length < batch) continue;
      yield files;
      files = [];
    }
    yield files;
    token = page.paginationToken;
  } while (token !== undefined);
}

/**
 * What a process left that was killed between storing a file and recording it: deleted once it is a day old, when
 * no upload can still be about to record it.
 */
export async function removeOrphans(storage: Storage, records: Recorded, now: Date): Promise<void> {
  const before = dayBefore(now);
  for await (const files of storedFiles(storage.disk, records.folder)) {
    const aged = await Promise.all(
      files.map(async (file) => ({ key: file.key, at: (await file.getMetaData()).lastModified })),
    );
    const old = aged.filter(({ at }) => at < before).map(({ key }) => key);
    await removeUnrecorded(storage, records, old);
  }
}
