/** Folders of the older product: each holds one kind of file, and no other files are read. */
export type FileFolder = "documents" | "auction-images";

function pathIn(text: string): string {
  if (!URL.canParse(text)) return text.replace(/^\//, "");
  const { protocol, pathname } = new URL(text);
  if (protocol === "gs:") return decoded(pathname.slice(1));
  // A download link: …/o/documents%2Fcv%2Fcv.pdf?alt=media.
  return decoded(pathname.split("/o/").at(1) ?? "");
}

/** Decodes a path; empty when that fails. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/**
 * The path of a file below the export's `files/`, of a path, a `gs://` address or a download link; null for anything else.
 * Whoever used the older product could write there what they liked: a path never leaves the folder of its kind, so that
 * an item's picture is never somebody's passport.
 */
export function storedPath(text: string, folder: FileFolder): string | null {
  const path = pathIn(text.trim());
  const parts = path.split("/");
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..");
  return isPlain && parts.length > 1 && parts[0] === folder && !/[\\\p{Cc}]/u.test(path) ? path : null;
}
