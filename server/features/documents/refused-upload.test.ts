import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentLimits, uploadRefusal } from "#domain/document.ts";
import { documentsOf, filesOf, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { jpeg, pdf, png } from "#tests/support/files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const bytesOf = (buffer: Buffer) => new Uint8Array(buffer);
const newStudent = () => person(w, "student", "active");

describe("a refused upload is answered with the reason and leaves nothing", () => {
  const text = (content: string) => Buffer.from(content, "latin1");
  test.each([
    ["empty", pdf(0).subarray(0, 0), "empty"],
    ["a web page that calls itself a PDF", text("<!doctype html><script>alert(1)</script>"), "unknownType"],
    ["a program", text("MZ\u0090\u0000\u0003\u0000\u0000"), "unknownType"],
    ["one byte over 20 MB", pdf(documentLimits.bytes + 1), "tooLarge"],
    ["a PDF without its end", pdf().subarray(0, 150), "cutOff"],
    ["a PNG without its end", png().subarray(0, 70), "cutOff"],
    ["a JPEG without its end", jpeg().subarray(0, -1), "cutOff"],
    ["an image of over 50 megapixels", png(10_000, 5_001), "tooManyPixels"],
    ["a JPEG of 65535 × 65535", jpeg(65_535, 65_535), "tooManyPixels"],
    ["a JPEG without a size", jpeg(8, 8, { before: 1_100_000 }), "noSize"],
    ["a PNG of no width", png(0, 8), "noSize"],
  ] as const)("%s", async (_what, bytes, problem) => {
    const student = await newStudent();
    const answer = await upload(student, { bytes: bytesOf(bytes) });
    expect(answer).toMatchObject(uploadRefusal[problem]);
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await documentsOf(w, student.id)).toEqual([]);
    expect(await filesOf(w, student.id)).toEqual([]);
  });

  test.each([
    "../../../etc/passwd",
    "..\\boot.ini",
    "a/b.pdf",
    "cv\0.pdf",
    "cv\r\nx-evil: 1.pdf",
    "cv\u202efdp.exe",
    `${"x".repeat(10_000)}.pdf`,
    "",
  ])("a file named %j", async (name) => {
    const student = await newStudent();
    expect(await upload(student, { name })).toMatchObject({ status: 400, ...uploadRefusal.badName });
    expect(await filesOf(w, student.id)).toEqual([]);
  });

  test("a name that can't be decoded", async () => {
    const answer = await upload(await newStudent(), { headers: { "x-file-name": "%E0%A4%A" } });
    expect(answer).toMatchObject(uploadRefusal.badName);
  });

  test("an announced length over the limit, before a byte is read", async () => {
    let pulled = 0;
    const bytes = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(9));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { "content-length": String(documentLimits.bytes + 1) };
    expect(await upload(await newStudent(), { bytes, headers })).toMatchObject(uploadRefusal.tooLarge);
    expect(pulled).toBe(0);
  });

  test("an announced length that is wrong", async () => {
    const student = await newStudent();
    for (const length of [199, 201]) {
      const headers = { "content-length": String(length) };
      expect(await upload(student, { headers })).toMatchObject(uploadRefusal.cutOff);
    }
    expect(await filesOf(w, student.id)).toEqual([]);
  });

  test("an endless file stops at the limit", async () => {
    const student = await newStudent();
    let pieces = 0;
    const piece = new Uint8Array(1024 * 1024);
    const bytes = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(pieces === 0 ? new Uint8Array(pdf(100)) : piece);
        pieces += 1;
      },
    });
    expect(await upload(student, { bytes })).toMatchObject(uploadRefusal.tooLarge);
    expect(pieces).toBeLessThan(25);
    expect(await filesOf(w, student.id)).toEqual([]);
  });

  test("a file that breaks off", async () => {
    const student = await newStudent();
    const bytes = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(pdf(1000)));
      },
      pull: (controller) => controller.error(new Error("ECONNRESET")),
    });
    expect(await upload(student, { bytes })).toMatchObject(uploadRefusal.cutOff);
    expect(await filesOf(w, student.id)).toEqual([]);
  });
});
