import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jpeg, pdf, png, webp } from "#tests/support/files.ts";
import { MediaError, type MediaType } from "./media-parsers.ts";
import { createSniffer } from "./sniff.ts";

const every = ["application/pdf", "image/jpeg", "image/png", "image/webp"] as const;

/** Returns the sniffer's result for a file that comes in pieces of this length: its type and sizes, or the problem. */
function look(file: Uint8Array, piece = 7, types: readonly MediaType[] = every) {
  const sizes: string[] = [];
  const sniffer = createSniffer(types, ({ width, height }) => void sizes.push(`${width}x${height}`));
  try {
    for (let at = 0; at < file.length; at += piece) sniffer.push(file.subarray(at, at + piece));
    return [sniffer.end(), ...sizes].join(" ");
  } catch (error) {
    if (error instanceof MediaError) return error.problem;
    throw error;
  }
}

describe.each([1, 2, 3, 5, 64, 65_536, 10_000_000])("in pieces of %i bytes", (piece) => {
  test("files are what their content says", () => {
    expect(look(pdf(), piece)).toBe("application/pdf");
    expect(look(png(640, 480), piece)).toBe("image/png 640x480");
    expect(look(jpeg(1024, 768), piece)).toBe("image/jpeg 1024x768");
    for (const kind of ["VP8X", "VP8L", "VP8 "] as const)
      expect(look(webp(16_383, 300, kind), piece)).toBe("image/webp 16383x300");
  });
});

test("a PDF may be saved several times and end in a few blanks, not in other things", () => {
  expect(look(Buffer.concat([pdf(), pdf()]))).toBe("application/pdf");
  expect(look(Buffer.concat([pdf(), Buffer.alloc(1024, "\n")]))).toBe("application/pdf");
  expect(look(Buffer.concat([pdf(), Buffer.alloc(1025, "\n")]))).toBe("cutOff");
});

test("a picture may carry something behind its end", () => {
  const more = Buffer.from("a film of what happened before");
  expect(look(Buffer.concat([png(2, 3), more]))).toBe("image/png 2x3");
  expect(look(Buffer.concat([jpeg(2, 3), more]))).toBe("image/jpeg 2x3");
});

test("what is not asked for is not taken", () => {
  for (const [file, type] of [
    [pdf(), "application/pdf"],
    [jpeg(), "image/jpeg"],
    [png(), "image/png"],
    [webp(), "image/webp"],
  ] as const) {
    expect(look(file, 7, [type])).toContain(type);
    expect(
      look(
        file,
        7,
        every.filter((each) => each !== type),
      ),
    ).toBe("unknownType");
  }
});

test("a WebP whose first part is none, or that declares a length shorter than that", () => {
  const file = webp();
  expect(look(Buffer.concat([file.subarray(0, 12), Buffer.from("ANIM"), file.subarray(16)]))).toBe("noSize");
  const short = Buffer.from(file);
  short.writeUInt32LE(4, 4);
  expect(look(short)).toBe("noSize");
  expect(look(Buffer.concat([file.subarray(0, 8), Buffer.from("WAVE"), file.subarray(12)]))).toBe(
    "unknownType",
  );
});

test("fill bytes before a marker change nothing", () => {
  const file = jpeg(5, 6, { before: 0 });
  const filled = Buffer.concat([file.subarray(0, 2), Buffer.from([0xff, 0xff, 0xff]), file.subarray(2)]);
  expect(look(filled)).toBe("image/jpeg 5x6");
});

describe("a file that is all small parts is refused before it is looked through", () => {
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
  ])("%s", (_what, file) => {
    const sniffer = createSniffer(every, () => {});
    const piece = 65_536;
    let taken = 0;
    expect(() => {
      for (; taken < file.length; taken += piece) sniffer.push(file.subarray(taken, taken + piece));
    }).toThrow(MediaError);
    expect(taken).toBeLessThan(1024 * 1024);
  });
});

test("a JPEG declares its size within the first megabyte, or not at all", () => {
  expect(look(jpeg(5, 6, { before: 900_000 }), 65_536)).toBe("image/jpeg 5x6");
  expect(look(jpeg(5, 6, { before: 1_200_000 }), 65_536)).toBe("noSize");
  const withoutFrame = Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 4, 1, 1, 9, 9, 0xff, 0xd9]);
  expect(look(withoutFrame)).toBe("noSize");
  expect(look(Buffer.from([0xff, 0xd8, 0xff, 0xd9]))).toBe("noSize");
});

test.each([
  ["nothing", ""],
  ["one byte", "%"],
  ["plain text", "Dear university, here is my transcript."],
  ["a web page", "<!doctype html><script>alert(1)</script>"],
  ["a picture of the scriptable kind", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a ZIP archive", "PK\u0003\u0004 and so on"],
  ["a GIF", "GIF89a\u0001\u0001"],
  ["a PDF with something before it", "\n%PDF-1.7\n%%EOF"],
  ["a program", "MZ\u0090\0\u0003"],
  ["half a JPEG start", "\u00ff\u00d8\u0000\u0010JFIF"],
])("%s is not taken", (_what, text) => {
  expect(look(Buffer.from(text, "latin1"))).toBe("unknownType");
});

test("what `onSize` throws comes through", () => {
  const sniffer = createSniffer(every, () => {
    throw new Error("too large");
  });
  expect(() => sniffer.push(png(60_000, 60_000))).toThrow("too large");
});

test("a file that is cut off anywhere is never taken as whole", () => {
  const whole = [pdf(), png(), jpeg(), webp()];
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.nat(1_000_000),
      fc.integer({ min: 1, max: 50 }),
      (file, at, piece) => {
        expect(["cutOff", "unknownType"]).toContain(look(file.subarray(0, at % file.length), piece));
      },
    ),
  );
});

test("whatever comes, it answers: a type or a problem", () => {
  const starts = fc.constantFrom(
    "%PDF-",
    "RIFF\u0040\0\0\0WEBP",
    "\u0089PNG\r\n\u001a\n",
    "\u00ff\u00d8\u00ff",
    "",
  );
  fc.assert(
    fc.property(
      starts,
      fc.uint8Array({ maxLength: 400 }),
      fc.integer({ min: 1, max: 90 }),
      (start, tail, piece) => {
        expect(look(Buffer.concat([Buffer.from(start, "latin1"), tail]), piece)).toMatch(/./);
      },
    ),
    { numRuns: 1000 },
  );
});
