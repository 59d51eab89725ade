/** Folders of the older product: each holds one kind of file, and no other files are read. */
export type FileFolder = "documents" | "auction-images";

function pathIn(text: string): string {
  if (!URL.canParse(text)) return text.replace(/^\//, "");
  const { protocol, pathname } = new URL(text);
  if (protocol === "gs:") return decoded(pathname.slice(1));
  // A download link: …/o/documents%2Fcv%2Fcv.pdf?alt=media.
  return decoded(pathname.split("/o/").at(1) ?? "");
}

/** Decodes a path, or returns "" if that fails. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/**
 * Returns the path of a file below the export's `files/`, given a path, a `gs://` address or a download link; null for
 * anything else. Users of the older product could write anything there: a path never leaves the folder of its kind, so
 * that no item's picture is a user's passport.
 */
export function storedPath(text: string, folder: FileFolder): string | null {
  const path = pathIn(text.trim());
  const parts = path.split("/");
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..");
  return isPlain && parts.length > 1 && parts[0] === folder && !/[\\\p{Cc}]/u.test(path) ? path : null;
}
