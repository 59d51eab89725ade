import type { FileRefusal } from "#domain/file-rules.ts";
import { CataloguedError } from "./catalogued-error.ts";
import { unanswered } from "./unanswered.ts";

/** Why the server did not take a file, in its words. */
class UploadError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function errorIn(text: string): Error {
  try {
    const { code, message }: { code?: unknown; message?: unknown } = JSON.parse(text);
    if (typeof code === "string" && typeof message === "string") return new UploadError(code, message);
  } catch {
    // A proxy's page, or nothing at all.
  }
  return new CataloguedError("unavailable");
}

/**
 * Sends a file as it is to POST `path`, and returns what that answers. `onProgress` gets which share of it, from 0 to
 * 1, has left. Rejects with a coded error. XMLHttpRequest, since fetch reports no progress of an upload.
 */
export function uploadFile(path: string, file: File, onProgress: (share: number) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-csrf-token", "orpc");
    request.setRequestHeader("x-file-name", encodeURIComponent(file.name));
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener("load", () =>
      request.status === 200
        ? resolve(JSON.parse(request.responseText))
        : reject(errorIn(request.responseText)),
    );
    const broken = () => reject(unanswered());
    for (const end of ["error", "abort", "timeout"]) request.addEventListener(end, broken);
    request.send(file);
  });
}

/** Codes of refusals that are about the file itself. */
const aboutFile = ["invalid-argument", "out-of-range"] as const;

/** Why the same file would be refused again; null when it might pass another time. */
export function refusalIn(error: unknown): FileRefusal | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const code = aboutFile.find((each) => each === error.code);
  return code ? { code, message: error.message } : null;
}
