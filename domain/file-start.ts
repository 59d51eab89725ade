/** What is taken somewhere, by its first bytes. */
export type FileType = "application/pdf" | "image/jpeg" | "image/png" | "image/webp";

/** Bytes that are needed to tell. */
export const startLength = 12;

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** What a file seems to be by its first bytes; null for anything else. The server looks at all of it. */
export function typeByStart(start: Uint8Array): FileType | null {
  const text = latin(start.subarray(0, startLength));
  if (text.startsWith("%PDF-")) return "application/pdf";
  if (text.startsWith("\u00ff\u00d8")) return "image/jpeg";
  if (text.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  return text.startsWith("RIFF") && text.endsWith("WEBP") ? "image/webp" : null;
}
