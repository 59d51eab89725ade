import { resolve } from "node:path";
import { errorCode } from "./error-code.ts";

/** A failure that the operator can fix. The message says how, and is printed without a stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** Advice for failures of the system, by code. */
const remedies: Record<string, (path: string) => string> = {
  ENOENT: (path) => `${path} is not there: check the name, and make the folder that it is to be in.`,
  ENOTDIR: (path) => `${path} is below something that is no folder: check the name.`,
  EISDIR: (path) => `${path} is a folder: name a file.`,
  EACCES: (path) =>
    `${path} may not be read or written by this user: run the command as the user who runs Wayfare.`,
  EPERM: (path) => `${path} may not be changed by this user: run the command as the user who runs Wayfare.`,
  EROFS: (path) => `${path} is on a file system that is read-only.`,
  ENOSPC: (path) => `There is no room left on the disk of ${path}.`,
  EDQUOT: (path) => `This user's share of the disk of ${path} is used up.`,
};

/** Explains a failure of the system in a sentence; null for any other error. `path`: in case the error names none. */
export function systemFailure(error: unknown, path?: string): string | null {
  const { path: errorPath, syscall }: { path?: unknown; syscall?: unknown } = Object(error);
  // A failed connection is about a server's socket, not about a file.
  if (syscall === "connect") return null;
  const remedy = remedies[errorCode(error) ?? ""];
  const file = typeof errorPath === "string" ? errorPath : path;
  return remedy && file !== undefined ? remedy(resolve(file)) : null;
}

/** Returns the sentence that an operator reads about an error. */
export const explained = (error: unknown): string =>
  systemFailure(error) ?? (error instanceof Error ? error.message : String(error));
