import { deflateRawSync, deflateSync } from "node:zlib";
import { painted } from "#tests/support/pictures.ts";
import { realPng } from "#tests/support/real-png.ts";

/** The building blocks of hostile files. */

/** A script that would run if the file around it were served as HTML. */
export const script = "<script>alert('hostile')</script>";

export const latin = (text: string): Buffer => Buffer.from(text, "latin1");
export const join = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? latin(part) : part)));
export const megabyte = 1024 * 1024;
export const pngMark = "\x89PNG\r\n\x1a\n";
export const html = `<!doctype html><html><body>${script}</body></html>`;
export const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`;

/** Returns a zip of one compressed file. */
export function zip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content, { level: 9 });
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(content.length, 22);
  head.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(20, 6);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(content.length, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(head.length + name.length + packed.length, 16);
  return join(head, name, packed, entry, name, end);
}

/** Returns a PDF of these objects and only what readers need besides. */
export const pdfWith = (...objects: string[]): Buffer =>
  join(
    "%PDF-1.7\n",
    ...objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`),
    "trailer <</Root 1 0 R>>\n%%EOF\n",
  );

/** Returns a real picture with a segment of this content after its header. */
export async function jpegWith(marker: number, content: Buffer): Promise<Buffer> {
  const whole = await painted().jpeg().toBuffer();
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return join(whole.subarray(0, 2), Buffer.from([0xff, marker]), length, content, whole.subarray(2));
}
export async function pngWith(...chunks: Buffer[]): Promise<Buffer> {
  const whole = await realPng({ width: 64, height: 48 });
  return join(whole.subarray(0, 33), ...chunks, whole.subarray(33));
}
export const behind = async (picture: Promise<Buffer>, more: string | Buffer) => join(await picture, more);
export const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 });
