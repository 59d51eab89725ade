import { beforeEach, expect, test, vi } from "vitest";
import { PictureQueue } from "./picture-queue.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const file = (name: string, start = "\u00ff\u00d8\u00ff") => new File([bytesOf(start)], name);
let uploads: string[];
let previews: Set<string>;
let broken: Record<string, string>;
let queue: PictureQueue;
beforeEach(() => {
  [uploads, previews, broken] = [[], new Set(), {}];
  queue = new PictureQueue({
    async send({ name }, onProgress) {
      uploads.push(name);
      onProgress(0.5);
      if (broken[name]) throw Object.assign(new Error("Too dark."), { code: broken[name] });
      return `id of ${name}`;
    },
    preview: {
      show({ name }) {
        previews.add(name);
        return name;
      },
      drop: (address) => void previews.delete(address),
    },
  });
});
const names = () => queue.get().items.map(({ file: { name } }) => name);
const idOf = (name: string) => queue.get().items.find((item) => item.file.name === name)?.id ?? 0;

test("moves and removes pictures, with their previews", () => {
  queue.add([file("a"), file("b"), file("c")]);
  queue.move(idOf("c"), -1);
  queue.move(idOf("a"), -1);
  queue.move(idOf("b"), 1);
  expect(names()).toEqual(["a", "c", "b"]);
  queue.remove(idOf("c"));
  expect([names(), [...previews]]).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
  queue.clear();
  expect([names(), [...previews]]).toEqual([[], []]);
});

test("keeps too many pictures for the form to refuse, but at most twenty, and counts those left out", () => {
  queue.add(Array.from({ length: 6 }, (_, at) => file(String(at))));
  expect(names()).toHaveLength(6);
  queue.add(Array.from({ length: 100 }, (_, at) => file(String(at))));
  expect(names()).toHaveLength(20);
  expect(queue.get().leftOut).toBe(86);
});

test("returns the ids in the order of the pictures, and sends nothing twice", async () => {
  queue.add([file("a"), file("b"), file("c"), file("d")]);
  expect(await queue.upload()).toEqual(["id of a", "id of b", "id of c", "id of d"]);
  queue.move(idOf("d"), -1);
  expect(await queue.upload()).toEqual(["id of a", "id of b", "id of d", "id of c"]);
  expect(uploads.toSorted()).toEqual(["a", "b", "c", "d"]);
  queue.dropUploads();
  await queue.upload();
  expect(uploads).toHaveLength(8);
});

test("reports an upload that fails, keeps the others, and resends only the failed one", async () => {
  broken = { b: "unavailable" };
  queue.add([file("a"), file("b"), file("c")]);
  await expect(queue.upload()).rejects.toMatchObject({ message: "Too dark." });
  expect(queue.get().items.map(({ state }) => state)).toEqual([
    { kind: "uploaded" },
    { kind: "error", message: "Too dark." },
    { kind: "uploaded" },
  ]);
  broken = {};
  expect(await queue.upload()).toEqual(["id of a", "id of b", "id of c"]);
  expect(uploads.toSorted()).toEqual(["a", "b", "b", "c"]);
  expect(queue.get().busy).toBe(false);
});

test("refuses an unusable file as soon as it is chosen, and doesn't send it", async () => {
  queue.add([file("a"), file("empty", ""), file("page", "<!doctype html>")]);
  const messages = () =>
    queue.get().items.map(({ state }) => (state.kind === "refused" ? state.message : ""));
  await vi.waitFor(() =>
    expect(messages()).toEqual(["", "This file is empty.", "This isn't a JPEG, PNG or WebP picture."]),
  );
  await expect(queue.upload()).rejects.toMatchObject({
    code: "invalid-argument",
    message: "empty is empty.",
  });
  expect(uploads).toEqual(["a"]);
  queue.remove(idOf("empty"));
  queue.remove(idOf("page"));
  expect(await queue.upload()).toEqual(["id of a"]);
});

test("doesn't resend a picture that the server refused", async () => {
  broken = { b: "invalid-argument" };
  queue.add([file("a"), file("b")]);
  const refusal = { code: "invalid-argument", message: "b: Too dark." };
  await expect(queue.upload()).rejects.toMatchObject(refusal);
  await expect(queue.upload()).rejects.toMatchObject(refusal);
  expect(uploads).toEqual(["a", "b"]);
});

test("can't be changed while pictures are sent", async () => {
  queue.add([file("a"), file("b")]);
  const submitted = queue.upload();
  queue.add([file("c")]);
  queue.remove(idOf("a"));
  queue.move(idOf("a"), 1);
  expect(names()).toEqual(["a", "b"]);
  await submitted;
});
