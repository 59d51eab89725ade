import { expect, test } from "vitest";
import { momentOf, RefusedRow, Row } from "./row.ts";
import { storedPath } from "./stored-path.ts";

const row = (fields: Record<string, unknown>) => new Row("users", { id: "u1", fields });
const moment = new Date("2026-01-05T10:00:00.250Z");
const [seconds, nanoseconds] = [1_767_607_200, 250_000_000];

test.each<[what: string, value: unknown]>([
  ["milliseconds", moment.getTime()],
  ["a text with its zone", "2026-01-05T12:00:00.250+02:00"],
  ["the Admin SDK's", { _seconds: seconds, _nanoseconds: nanoseconds }],
  ["the browser SDK's", { seconds, nanoseconds }],
  [
    "that of node-firestore-import-export",
    { __datatype__: "timestamp", value: { _seconds: seconds, _nanoseconds: nanoseconds } },
  ],
])("reads a time as %s", (_, value) => {
  expect(momentOf(value)).toEqual(moment);
});

test.each([null, undefined, "", "tomorrow", "2026-13-45", {}, [], true, Number.NaN, 9e15])(
  "takes %j for no time",
  (value) => {
    expect(momentOf(value)).toBeNull();
  },
);

test("reports everything that was left out or guessed", () => {
  const read = row({
    a: " x ",
    b: 7,
    c: ["x"],
    d: "2026-01-05T10:00",
    e: "3026-01-05",
    f: "soon",
    g: "a\u0000b",
  });
  expect([read.text("a"), read.text("b"), read.text("c"), read.text("g"), read.text("none")]).toEqual([
    "x",
    "7",
    "",
    "ab",
    "",
  ]);
  expect(read.time("d")).toEqual(new Date("2026-01-05T10:00"));
  expect(read.past("e", moment)).toBeNull();
  expect(read.past("f", moment)).toBeNull();
  expect(read.mended).toEqual([
    "a trimmed",
    "c left empty: it is no text",
    "g trimmed",
    "d has no time zone: taken as one of this machine's",
    "e left empty: it is in the future",
    "f left empty: it is no time",
  ]);
});

test("a day has no time, or midnight in UTC", () => {
  const read = row({
    a: "2004-02-29",
    b: "2004-02-29T00:00:00.000Z",
    c: "2004-02-28T22:00:00.000Z",
    d: "spring",
  });
  expect([read.day("a"), read.day("b"), read.day("c"), read.day("d")]).toEqual([
    "2004-02-29",
    "2004-02-29",
    "2004-02-28T22:00:00.000Z",
    "spring",
  ]);
});

test("lists the fields that were not read", () => {
  const read = row({ email: "a@example.org", photoURL: "x" });
  read.text("email");
  expect(read.unknown()).toEqual(["photoURL"]);
  expect(new RefusedRow("why").message).toBe("why");
});

test.each([
  ["documents/cv/my cv.pdf", "documents/cv/my cv.pdf"],
  ["/documents/cv/cv.pdf", "documents/cv/cv.pdf"],
  ["gs://older.appspot.com/documents/cv/my%20cv.pdf", "documents/cv/my cv.pdf"],
  [
    "https://firebasestorage.googleapis.com/v0/b/older.appspot.com/o/documents%2Fcv%2Fmy%20cv.pdf?alt=media&token=1",
    "documents/cv/my cv.pdf",
  ],
])("finds the file of %s", (text, path) => {
  expect(storedPath(text, "documents")).toBe(path);
});

test.each([
  "",
  "documents",
  "documents/",
  "../session-secret",
  "documents/../../session-secret",
  "documents/./cv.pdf",
  "documents//cv.pdf",
  "documents\\..\\x/y",
  "documents/a\u0000b",
  "/etc/passwd",
  "auction-images/picture.jpg",
  "https://example.org/documents/cv/cv.pdf",
  "https://x.example/o/documents%2F..%2F..%2Fetc%2Fpasswd",
  "https://x.example/o/%E0%A4%A",
])("finds no document in %j", (text) => {
  expect(storedPath(text, "documents")).toBeNull();
});

test("an item's picture is never a document", () => {
  expect(storedPath("documents/passport/passport.jpg", "auction-images")).toBeNull();
});
