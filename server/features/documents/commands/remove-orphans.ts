import { inArray } from "drizzle-orm";
import type { DriveFile } from "flydrive";
import type { Services } from "#server/services.ts";
import { document } from "../tables.ts";

type Parts = Pick<Services, "database" | "storage">;

const day = 24 * 60 * 60 * 1000;
/** Files that are looked up at once. */
const batch = 500;

/** Deletes those of the files that no record names. */
export async function removeUnrecorded({ database, storage }: Parts, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = await database.db
    .select({ key: document.storageKey })
    .from(document)
    .where(inArray(document.storageKey, [...keys]));
  const recorded = new Set(rows.map(({ key }) => key));
  await Promise.all(keys.filter((key) => !recorded.has(key)).map((key) => storage.disk.delete(key)));
}

/** Every file of the store under documents/, a batch at a time. */
async function* storedFiles(storage: Services["storage"], token?: string): AsyncGenerator<DriveFile[]> {
  const options = { recursive: true, ...(token !== undefined && { paginationToken: token }) };
  const page = await storage.disk.listAll("documents", options);
  let files: DriveFile[] = [];
  for (const object of page.objects) {
    if (object.isFile) files.push(object);
    if (files.length < batch) continue;
    yield files;
    files = [];
  }
  yield files;
  if (page.paginationToken !== undefined) yield* storedFiles(storage, page.paginationToken);
}

/**
 * What a process left that was killed between storing a file and recording it: deleted once it is a day old, when
 * no upload can still be about to record it.
 */
export async function removeOrphans(parts: Parts, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - day);
  await parts.storage.removeDrafts(before);
  for await (const files of storedFiles(parts.storage)) {
    const aged = await Promise.all(
      files.map(async (file) => ({ key: file.key, at: (await file.getMetaData()).lastModified })),
    );
    const old = aged.filter(({ at }) => at < before).map(({ key }) => key);
    await removeUnrecorded(parts, old);
  }
}
