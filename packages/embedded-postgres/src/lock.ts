import { accessSync, constants, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { identifierOf, type Program } from "./program.ts";
import { UnusableFolder } from "./unusable-folder.ts";

export type Lock = { release(): void };

/**
 * Returns the path of an empty file under an exclusive lock of SQLite: Node's only way to a lock that the kernel grants
 * to one process and releases however that process ends. (A stale listening socket has to be removed, and two starters
 * can each remove the other's.) Nothing is ever written to the file.
 */
const lockPath = (program: Program, folder: string) => join(folder, `${identifierOf(program)}.lock`);

const sqliteBusy = 5;

/** Locks of this process, kept from the garbage collector, which would release them. */
const held = new Map<string, DatabaseSync>();

/**
 * Makes this process the only one of the program on `folder` (an absolute path). Throws UnusableFolder if there is
 * another.
 */
export async function takeLock(program: Program, folder: string): Promise<Lock> {
  const path = lockPath(program, folder);
  if (held.has(path)) throw anotherRuns(program, folder);
  await createPrivately(path);
  // SQLite only says that it can not open a file, not why.
  accessSync(path, constants.R_OK | constants.W_OK);
  // Concurrent starters can block each other. One of them wins within these milliseconds.
  const lock = new DatabaseSync(path, { timeout: 500 });
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    throw isBusy(error) ? anotherRuns(program, folder) : error;
  }
  held.set(path, lock);
  return { release: () => release(path, lock) };
}

/** Whether a process of the program runs on `folder`, checked without disturbing one that is starting. */
export function isLocked(program: Program, folder: string): boolean {
  const path = lockPath(program, folder);
  if (held.has(path)) return true;
  if (!existsSync(path)) return false;
  accessSync(path, constants.R_OK);
  const lock = new DatabaseSync(path, { readOnly: true });
  try {
    lock.exec("select count(*) from sqlite_schema");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}

/** Creates the file for its owner only: others could delay a start if they were able to open it. */
async function createPrivately(path: string): Promise<void> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.close();
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

function release(path: string, lock: DatabaseSync): void {
  if (held.get(path) !== lock) return;
  held.delete(path);
  lock.close();
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}

function anotherRuns({ name, otherFolder }: Program, folder: string): Error {
  return new UnusableFolder(
    `Another ${name} is running on this data folder (${folder}): stop it first, or ${otherFolder}.`,
  );
}
