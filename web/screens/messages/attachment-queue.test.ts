import { expect, test } from "vitest";
import { AttachmentQueue } from "./attachment-queue.ts";

const file = (name: string, text = "%PDF-1.7") => new File([new TextEncoder().encode(text)], name);
const names = (queue: AttachmentQueue) => queue.get().items.map(({ file }) => file.name);

test("uploads a message's files once, and returns their ids in order", async () => {
  const uploads: string[] = [];
  const queue = new AttachmentQueue(5, async ({ name }) => {
    if (name === "a") await Promise.resolve();
    uploads.push(name);
    return `id of ${name}`;
  });
  await queue.add([file("a"), file("b")]);
  await queue.add([file("c")]);
  expect(await queue.upload()).toEqual(["id of a", "id of b", "id of c"]);
  expect(await queue.upload()).toEqual(["id of a", "id of b", "id of c"]);
  expect(uploads.toSorted()).toEqual(["a", "b", "c"]);
});

test("leaves out files beyond a message's limit, even if they are added concurrently", async () => {
  const queue = new AttachmentQueue(5, async () => "id");
  await Promise.all([
    queue.add(["a", "b", "c"].map((name) => file(name))),
    queue.add(["d", "e", "f"].map((name) => file(name))),
  ]);
  expect(names(queue)).toEqual(["a", "b", "c", "d", "e"]);
  expect(queue.get().leftOut).toBe(1);
});

test("returns no ids if a file is refused or its upload fails, and doesn't resend the others", async () => {
  const uploads: string[] = [];
  let isDown = true;
  const queue = new AttachmentQueue(5, async ({ name }) => {
    if (name === "b" && isDown) throw new Error("down");
    uploads.push(name);
    return name;
  });
  await queue.add([file("a"), file("b"), file("page.html", "<html>")]);
  expect(await queue.upload()).toBeNull();
  const [, , page] = queue.get().items;
  expect(page?.state).toMatchObject({ kind: "refused" });
  queue.remove(page?.id ?? 0);
  isDown = false;
  expect(await queue.upload()).toEqual(["a", "b"]);
  expect(uploads).toEqual(["a", "b"]);
});
