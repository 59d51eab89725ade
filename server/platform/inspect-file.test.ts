import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileType } from "#domain/file-rules.ts";
import { jpeg, pdf, png, webp } from "#tests/support/files.ts";
import { inspectFile, RefusedFile } from "./inspect-file.ts";

const allTypes = ["application/pdf", "image/jpeg", "image/png", "image/webp"] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wayfare-inspect-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the type and the size of a file, or the problem. */
async function inspect(file: Uint8Array, types: readonly FileType[] = allTypes): Promise<string> {
  const path = join(folder, "file");
  await writeFile(path, file);
  try {
    const { type, size } = await inspectFile(path, types);
    return size ? `${type} ${size.width}x${size.height}` : type;
  } catch (error) {
    if (error instanceof RefusedFile) return error.problem;
    throw error;
  }
}

test("detects the type and size of a file by its content", async () => {
  expect(await inspect(pdf())).toBe("application/pdf");
  expect(await inspect(png(640, 480))).toBe("image/png 640x480");
  expect(await inspect(jpeg(1024, 768))).toBe("image/jpeg 1024x768");
  for (const kind of ["VP8X", "VP8L", "VP8 "] as const)
    expect(await inspect(webp(16_383, 300, kind))).toBe("image/webp 16383x300");
});

test("detects the type and size of a large file by its content", async () => {
  const megabyte = 1024 * 1024;
  expect(await inspect(pdf(3 * megabyte))).toBe("application/pdf");
  expect(await inspect(png(640, 480, 3 * megabyte))).toBe("image/png 640x480");
  expect(await inspect(webp(640, 480, "VP8X", 3 * megabyte))).toBe("image/webp 640x480");
  expect(await inspect(jpeg(5, 6, { before: 900_000, data: 3 * megabyte }))).toBe("image/jpeg 5x6");
});

test("finds the end marker of a JPEG at any offset", async () => {
  const length = 64 * 1024;
  for (let data = length - 20; data < length + 20; data++) {
    const file = jpeg(5, 6, { before: 0, data });
    expect(await inspect(file)).toBe("image/jpeg 5x6");
    expect(await inspect(file.subarray(0, -1))).toBe("cutOff");
  }
});

test("a JPEG with a preview that is cut in half is incomplete", async () => {
  const file = jpeg(4000, 3000, { before: 50_000, data: 100_000 });
  expect(await inspect(file.subarray(0, file.length / 2))).toBe("cutOff");
  expect(await inspect(file.subarray(0, 50_100))).toBe("cutOff");
});

test("accepts a PDF that was saved several times or ends in few enough blanks", async () => {
  expect(await inspect(Buffer.concat([pdf(), pdf()]))).toBe("application/pdf");
  expect(await inspect(Buffer.concat([pdf(), Buffer.alloc(1024, "\n")]))).toBe("application/pdf");
  expect(await inspect(Buffer.concat([pdf(), Buffer.alloc(1025, "\n")]))).toBe("cutOff");
});

test("accepts a picture with data after its end", async () => {
  const more = Buffer.from("a film of what happened before");
  expect(await inspect(Buffer.concat([png(2, 3), more]))).toBe("image/png 2x3");
  expect(await inspect(Buffer.concat([jpeg(2, 3), more]))).toBe("image/jpeg 2x3");
});

test("a type that is not accepted is refused", async () => {
  for (const [file, type] of [
    [pdf(), "application/pdf"],
    [jpeg(), "image/jpeg"],
    [png(), "image/png"],
    [webp(), "image/webp"],
  ] as const) {
    const others = allTypes.filter((each) => each !== type);
    expect(await inspect(file, [type])).toContain(type);
    expect(await inspect(file, others)).toBe("unknownType");
  }
});

test("refuses a WebP with an unknown first chunk, a declared length shorter than that, or another form type", async () => {
  const file = webp();
  expect(await inspect(Buffer.concat([file.subarray(0, 12), Buffer.from("ANIM"), file.subarray(16)]))).toBe(
    "noSize",
  );
  const short = Buffer.from(file);
  short.writeUInt32LE(4, 4);
  expect(await inspect(short)).toBe("noSize");
  expect(await inspect(Buffer.concat([file.subarray(0, 8), Buffer.from("WAVE"), file.subarray(12)]))).toBe(
    "unknownType",
  );
});

test("ignores fill bytes before a marker", async () => {
  const file = jpeg(5, 6, { before: 0 });
  const filled = Buffer.concat([file.subarray(0, 2), Buffer.from([0xff, 0xff, 0xff]), file.subarray(2)]);
  expect(await inspect(filled)).toBe("image/jpeg 5x6");
});

describe("a file that is all small parts is refused", () => {
  const megabytes = 20;
  const filled = (start: Buffer | string, part: Buffer | string) =>
    Buffer.concat([Buffer.from(start), Buffer.alloc(megabytes * 1024 * 1024, part)]);
  const frame = jpeg().subarray(0, jpeg().indexOf(Buffer.from([0xff, 0xda])));
  test.each([
    ["fill bytes", filled(Buffer.from([0xff, 0xd8]), Buffer.from([0xff]))],
    ["empty segments behind the size", filled(frame, Buffer.from([0xff, 0xfe, 0, 2]))],
    ["fill bytes between markers", filled(frame, Buffer.from([0xff, 0xff, 0xff, 0xd0]))],
    ["ends of a PDF", filled("%PDF-1.7", "%%EOF")],
    ["empty chunks of a PNG", filled(png().subarray(0, 33), Buffer.from("\0\0\0\0tEXt\0\0\0\0"))],
  ])("%s", async (_what, file) => {
    expect(await inspect(file)).toBe("unknownType");
  });
});

test("finds the size of a JPEG only within its first megabyte", async () => {
  expect(await inspect(jpeg(5, 6, { before: 1_200_000 }))).toBe("noSize");
  const withoutFrame = Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 4, 1, 1, 9, 9, 0xff, 0xd9]);
  expect(await inspect(Buffer.concat([withoutFrame, Buffer.alloc(20)]))).toBe("noSize");
  expect(await inspect(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xd9]), Buffer.alloc(20)]))).toBe(
    "noSize",
  );
});

test.each([
  ["an empty file", ""],
  ["one byte", "%"],
  ["plain text", "Dear university, here is my transcript."],
  ["a web page", "<!doctype html><script>alert(1)</script>"],
  ["a picture of the scriptable kind", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a ZIP archive", "PK\u0003\u0004 and so on"],
  ["a GIF", "GIF89a\u0001\u0001"],
  ["a PDF with something before it", "\n%PDF-1.7\n%%EOF"],
  ["a program", "MZ\u0090\0\u0003"],
  ["half a JPEG start", "\u00ff\u00d8\u0000\u0010JFIF"],
  // The library file-type skips such a header.
  ["a PDF behind the head of a song", "ID3\u0003\0\0\0\0\0\u0008<script>%PDF-1.7\n%%EOF"],
  ["a PDF behind a byte order mark", "\u00ef\u00bb\u00bf%PDF-1.7\n%%EOF"],
])("refuses %s", async (_what, text) => {
  expect(await inspect(Buffer.from(text, "latin1"))).toBe("unknownType");
});

test("never accepts a file that is cut off, wherever that is", async () => {
  const whole = [pdf(), png(), jpeg(), webp()];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...whole), fc.nat(1_000_000), async (file, at) => {
      expect(["cutOff", "unknownType"]).toContain(await inspect(file.subarray(0, at % file.length)));
    }),
  );
});

test("the inspection of any bytes ends with a type or a problem", async () => {
  const starts = fc.constantFrom(
    "%PDF-",
    "RIFF\u0040\0\0\0WEBP",
    "\u0089PNG\r\n\u001a\n",
    "\u00ff\u00d8\u00ff",
    "",
  );
  await fc.assert(
    fc.asyncProperty(starts, fc.uint8Array({ maxLength: 400 }), async (start, tail) => {
      expect(await inspect(Buffer.concat([Buffer.from(start, "latin1"), tail]))).toMatch(/./);
    }),
    { numRuns: 1000 },
  );
});
