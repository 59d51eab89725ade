/** Small files of the types that they claim, for uploads. */

const bytes = (...parts: (Uint8Array | string | number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );

function uint(value: number, length: 2 | 4): Buffer {
  const buffer = Buffer.alloc(length);
  buffer.writeUIntBE(value, 0, length);
  return buffer;
}

/** Returns a PDF of exactly this many bytes. */
export const pdf = (size = 200): Buffer =>
  bytes("%PDF-1.7\n", Buffer.alloc(Math.max(0, size - 15), "x"), "\n%%EOF");

const chunk = (name: string, data: Uint8Array) => bytes(uint(data.length, 4), name, data, [0, 0, 0, 0]);

/** Returns a PNG whose header declares this size in pixels. */
export const png = (width = 8, height = 8, data = 40): Buffer =>
  bytes(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    chunk("IHDR", bytes(uint(width, 4), uint(height, 4), [8, 2, 0, 0, 0])),
    chunk("IDAT", Buffer.alloc(data, 7)),
    chunk("IEND", Buffer.alloc(0)),
  );

const segment = (marker: number, data: Uint8Array) => bytes([0xff, marker], uint(data.length + 2, 2), data);

/** Returns a JPEG whose frame header declares this size in pixels, after this many bytes of previews. */
export function jpeg(width = 8, height = 8, { before = 100, data = 60 } = {}): Buffer {
  const previews: Buffer[] = [];
  for (let rest = before; rest > 0; rest -= 60_000)
    // It contains an end marker, as a preview does.
    previews.push(segment(0xe1, bytes([0xff, 0xd9], Buffer.alloc(Math.min(rest, 60_000), 1))));
  return bytes(
    [0xff, 0xd8],
    ...previews,
    segment(0xc4, Buffer.alloc(20)),
    segment(0xc2, bytes([8], uint(height, 2), uint(width, 2), [3, 1, 2, 3])),
    segment(0xda, Buffer.alloc(8)),
    Buffer.alloc(data, 3),
    [0xff, 0xd9],
  );
}

const little = (value: number, length: 3 | 4): Buffer => {
  const buffer = Buffer.alloc(length);
  buffer.writeUIntLE(value, 0, length);
  return buffer;
};

const webpFrames = {
  VP8X: (width: number, height: number) => bytes([0, 0, 0, 0], little(width - 1, 3), little(height - 1, 3)),
  VP8L: (width: number, height: number) =>
    bytes([0x2f], little(width - 1 + (height - 1) * 2 ** 14, 4), [0, 0, 0, 0, 0]),
  "VP8 ": (width: number, height: number) =>
    bytes([0, 0, 0, 0x9d, 0x01, 0x2a], uint(width, 2).toReversed(), uint(height, 2).toReversed()),
};

/** Returns a WebP whose first part declares this size in pixels. */
export function webp(width = 8, height = 8, kind: keyof typeof webpFrames = "VP8X", data = 40): Buffer {
  const rest = bytes(
    "WEBP",
    kind,
    little(10 + data, 4),
    webpFrames[kind](width, height),
    Buffer.alloc(data, 7),
  );
  return bytes("RIFF", little(rest.length, 4), rest);
}
