import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { crc32, createDeflate, type Deflate } from "node:zlib";

const megabyte = Buffer.alloc(1024 * 1024);
export const pngStart: Buffer = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

async function writeZeros(into: Deflate, bytes: number): Promise<void> {
  if (bytes <= 0) return void into.end();
  if (!into.write(megabyte.subarray(0, bytes))) await once(into, "drain");
  await writeZeros(into, bytes - megabyte.length);
}

/** Deflates this many zeros, to about a thousandth of their length. */
export async function deflatedZeros(bytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const [packed] = await Promise.all([buffer(deflate), writeZeros(deflate, bytes)]);
  return packed;
}

/** Returns a chunk of a PNG, with its length and checksum. */
export function pngChunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** Each colour type's number in the header, and its values per pixel. */
const colours = { grey: [0, 1], rgb: [2, 3], palette: [3, 1], rgba: [6, 4] } as const;
/** The seven passes of an interlaced PNG, each with its first pixel and the distance between pixels: x, y, dx, dy. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export type PngShape = {
  width: number;
  height: number;
  depth?: 8 | 16;
  colour?: keyof typeof colours;
  interlaced?: boolean;
};

export function pngHeader({
  width,
  height,
  depth = 8,
  colour = "rgb",
  interlaced = false,
}: PngShape): Buffer {
  const rest = Buffer.from([depth, colours[colour][0], 0, 0, interlaced ? 1 : 0]);
  return pngChunk("IHDR", Buffer.concat([uint32(width), uint32(height), rest]));
}

/** Returns the unpacked bytes of the pixels: each row of each pass begins with a byte for its filter. */
export function pixelBytes({
  width,
  height,
  depth = 8,
  colour = "rgb",
  interlaced = false,
}: PngShape): number {
  const pixel = (depth / 8) * colours[colour][1];
  const rows = (wide: number, high: number) => (wide > 0 ? high * (1 + wide * pixel) : 0);
  if (!interlaced) return rows(width, height);
  return passes
    .map(([x, y, dx, dy]) => rows(Math.ceil((width - x) / dx), Math.max(0, Math.ceil((height - y) / dy))))
    .reduce((sum, bytes) => sum + bytes);
}

/** Returns a complete PNG of black pixels that decoders accept: a small file, whatever its size in pixels. */
export async function realPng(shape: PngShape, pixels = pixelBytes(shape)): Promise<Buffer> {
  return Buffer.concat([
    pngStart,
    pngHeader(shape),
    ...(shape.colour === "palette" ? [pngChunk("PLTE", Buffer.alloc(3 * 256, 99))] : []),
    pngChunk("IDAT", await deflatedZeros(pixels)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}
