import { accessSync, constants, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { identifierOf, type Program } from "./program.ts";
import { UnusableFolder } from "./unusable-folder.ts";

export type Lock = { release(): void };

/**
 * An empty file under an exclusive lock of SQLite, the one way Node has to a lock that the kernel itself
 * gives to one process only and takes back however that process ends. (With a listening socket a stale one
 * has to be removed, and two starters can each remove the other's.) Nothing is ever written to the file.
 */
const lockPath = (program: Program, folder: string) => join(folder, `${identifierOf(program)}.lock`);

const sqliteBusy = 5;

/** Also keeps the locks from the garbage collector, which would let go of them. */
const held = new Map<string, DatabaseSync>();

/**
 * Makes this process the only one of the program on `folder` (an absolute path).
 * Throws UnusableFolder when there is one already.
 */
export async function takeLock(program: Program, folder: string): Promise<Lock> {
  const path = lockPath(program, folder);
  if (held.has(path)) throw anotherRuns(program, folder);
  await createPrivately(path);
  // SQLite only says that it can not open a file, not why.
  accessSync(path, constants.R_OK | constants.W_OK);
  // Starters at the same moment can get in each other's way: one of them wins within these milliseconds.
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

/** Whether a process of the program runs on `folder`, asked without getting in the way of one that is starting. */
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

/** Others could hold up a start if they were able to open the file. */
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
