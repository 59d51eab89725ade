import { createHash } from "node:crypto";

/**
 * Returns the id that a row of the older product gets here, always the same one, so that a second import recognises the
 * row. It has the form of a UUID (RFC 9562, version 8).
 */
export function idOf(...path: readonly string[]): string {
  const digest = createHash("sha256")
    .update(`wayfare-import/${path.join("/")}`)
    .digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}
