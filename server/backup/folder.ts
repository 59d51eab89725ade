import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Names that `backupIn` gives, which sort by time. Nothing else in the folder is touched. */
const ownName = /^wayfare-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.zst(\.age)?$/;

/** Returns the file for a backup: the given one, or in a given folder one that is named by the current time (UTC). */
export async function backupIn(
  path: string,
  isEncrypted: boolean,
): Promise<{ file: string; folder: string | null }> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return { file: path, folder: null };
  const timestamp = `${new Date().toISOString().slice(0, 19).replaceAll(":", "")}Z`;
  return { file: join(path, `wayfare-${timestamp}.tar.zst${isEncrypted ? ".age" : ""}`), folder: path };
}

/** Deletes all backups of a folder but the newest `keep`; returns the deleted files. */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => ownName.test(name)).toSorted();
  const old = names.slice(0, -keep).map((name) => join(folder, name));
  for (const file of old) await rm(file);
  return old;
}
