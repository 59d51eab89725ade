import { resolve } from "node:path";
import { errorCode } from "./error-code.ts";

/** A failure that the operator can put right. The message says how, and is printed without the place in our code. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** Failures of the system, by code: what to do about each. */
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

/** A sentence for a failure of the system. `path` is named where the error names none. */
export function systemFailure(error: unknown, path?: string): string | null {
  const { path: own, syscall }: { path?: unknown; syscall?: unknown } = Object(error);
  // The socket of a server, which is another matter.
  if (syscall === "connect") return null;
  const remedy = remedies[errorCode(error) ?? ""];
  const named = typeof own === "string" ? own : path;
  return remedy && named !== undefined ? remedy(resolve(named)) : null;
}

/** What an operator reads of an error. */
export const explained = (error: unknown): string =>
  systemFailure(error) ?? (error instanceof Error ? error.message : String(error));
