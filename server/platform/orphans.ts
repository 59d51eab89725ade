import type { DriveFile } from "flydrive";
import { mayDeleteFiles } from "./advisory-locks.ts";
import type { Reader } from "./database.ts";
import type { Storage } from "./storage.ts";

/** Folders of the store, with a query for those of their files that have a record. */
export type RecordedFolder = {
  db: Reader;
  folders: readonly string[];
  recordedAmong(keys: readonly string[]): Promise<ReadonlySet<string>>;
};

const day = 24 * 60 * 60 * 1000;
/** Files per query. */
const batch = 500;

/** Returns the time a day ago. Uploads that began before it have ended: a request takes minutes at most. */
export const dayBefore = (now: Date): Date => new Date(now.getTime() - day);

const withoutRecord = async (
  { recordedAmong }: RecordedFolder,
  keys: readonly string[],
): Promise<string[]> => {
  if (keys.length === 0) return [];
  const recorded = await recordedAmong(keys);
  return keys.filter((key) => !recorded.has(key));
};

/** Deletes the files without a record. While a backup runs they stay, until the next night. */
export async function removeUnrecorded(
  { disk }: Storage,
  records: RecordedFolder,
  keys: readonly string[],
): Promise<void> {
  for (let at = 0; at < keys.length; at += batch) {
    const unrecorded = await withoutRecord(records, keys.slice(at, at + batch));
    if (unrecorded.length === 0 || !(await mayDeleteFiles(records.db))) continue;
    await Promise.all(unrecorded.map((key) => disk.delete(key)));
  }
}

/** Yields every file of a folder of the store, in batches. */
export async function* storedFiles(
  disk: Pick<Storage["disk"], "listAll">,
  folder: string,
): AsyncGenerator<DriveFile[]> {
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

/** Yields the files that have no record and were stored before a time, in batches. */
export async function* orphans(
  disk: Pick<Storage["disk"], "listAll" | "exists">,
  records: RecordedFolder,
  before: Date,
): AsyncGenerator<string[]> {
  for (const folder of records.folders)
    for await (const files of storedFiles(disk, folder)) {
      const keys = files.map(({ key }) => key);
      const unrecorded = new Set(await withoutRecord(records, keys));
      const candidates = files.filter(({ key }) => unrecorded.has(key));
      const isOld = await Promise.all(candidates.map((file) => wasStoredBefore(disk, file, before)));
      yield candidates.filter((_, at) => isOld[at]).map(({ key }) => key);
    }
}

/** Whether a file was stored before a time; false if it is gone. */
async function wasStoredBefore(
  disk: Pick<Storage["disk"], "exists">,
  file: DriveFile,
  before: Date,
): Promise<boolean> {
  try {
    return (await file.getMetaData()).lastModified < before;
  } catch (error) {
    if (await disk.exists(file.key)) throw error;
    return false;
  }
}

/**
 * Deletes files that a process stored but did not record because it was killed in between. They are deleted once they
 * are a day old, when no upload can still be about to record them.
 */
export async function removeOrphans({ disk }: Storage, records: RecordedFolder, now: Date): Promise<void> {
  for await (const keys of orphans(disk, records, dayBefore(now))) {
    if (keys.length === 0 || !(await mayDeleteFiles(records.db))) continue;
    await Promise.all(keys.map((key) => disk.delete(key)));
  }
}
