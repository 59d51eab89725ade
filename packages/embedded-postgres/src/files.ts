import { lchown, lstat, mkdir, open } from "node:fs/promises";
import { type Account, isRoot } from "./account.ts";
import { errorCode } from "./error-code.ts";

/** Resolves to null instead of rejecting when nothing is at the path. */
export async function orNullIfMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null;
    throw error;
  }
}

/**
 * Creates a folder that only the account may enter. An existing one is kept, but must belong to the account and be
 * closed to others, so that nobody else can have put it there.
 */
export async function ownFolder(path: string, { uid, gid }: Account): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    if (isRoot()) await lchown(path, uid, gid);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  const stats = await lstat(path);
  const isPrivate = stats.isDirectory() && (stats.mode & 0o077) === 0;
  if (isPrivate && stats.uid === uid) return;
  // An earlier start was killed between the two steps above.
  if (isPrivate && stats.uid === 0 && isRoot()) return lchown(path, uid, gid);
  throw new Error(
    `${path} is not a private folder of the user that PostgreSQL runs as (uid ${uid}): remove it.`,
  );
}

/** Makes the entries of a folder survive a power cut. */
export async function flushFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}
