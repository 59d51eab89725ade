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

function refusalIn(text: string): Error {
  try {
    const { code, message }: { code?: unknown; message?: unknown } = JSON.parse(text);
    if (typeof code === "string" && typeof message === "string") return new UploadError(code, message);
  } catch {
    // A proxy's page, or nothing at all.
  }
  return new CataloguedError("unavailable");
}

/**
 * Sends a file as it is to POST `path`, and returns what that answers. `onProgress` hears which share of it, from 0 to
 * 1, has left. Rejects with a coded error. XMLHttpRequest, since fetch tells nothing of what it has sent.
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
        : reject(refusalIn(request.responseText)),
    );
    const broken = () => reject(unanswered());
    for (const end of ["error", "abort", "timeout"]) request.addEventListener(end, broken);
    request.send(file);
  });
}

/** Codes of refusals that are about the file itself. */
const aboutFile = new Set(["invalid-argument", "out-of-range"]);

/** Whether the same file would be refused again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && aboutFile.has(error.code);
