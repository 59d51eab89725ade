import { crc32 } from "node:zlib";

/** Returns the files of a zip without compression, according to the directory at its end. */
export function unzip(zip: Buffer): Record<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const files: Record<string, Buffer> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [size, start] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const bytes = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    const file = zip.subarray(bytes, bytes + size);
    if (crc32(file) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`);
    files[name] = file;
    at += 46 + nameLength + extraLength;
  }
  return files;
}
