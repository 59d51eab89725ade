import { describe, expect, test } from "vitest";
import type { DocumentKind } from "#domain/document.ts";
import { DocumentQueue, type Send } from "./document-queue.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const file = (name: string, bytes = bytesOf("%PDF-1.7")) => new File([bytes], name);
const done: Send = async () => {};
const slotsIn = (queue: DocumentQueue) =>
  queue.get().items.map(({ file: { name }, slot }) => `${name} → ${slot}`);
const statesIn = (queue: DocumentQueue) => queue.get().items.map(({ state }) => state);

describe("choosing", () => {
  test("puts files into the slots that their names suggest, and the others into empty slots in order", async () => {
    const queue = new DocumentQueue(done);
    await queue.add([file("a"), file("passport.pdf")], { transcript: "approved", cv: "rejected" });
    expect(slotsIn(queue)).toEqual(["a → statement", "passport.pdf → passport"]);
    await queue.add([file("c")], { transcript: "approved", cv: "rejected" });
    expect(slotsIn(queue)).toEqual(["a → statement", "passport.pdf → passport", "c → recommendation1"]);
  });

  test("leaves out more than six files, and counts them", async () => {
    const queue = new DocumentQueue(done);
    await queue.add(
      Array.from({ length: 8 }, (_, at) => file(`${at}.pdf`)),
      {},
    );
    expect(queue.get()).toMatchObject({ leftOut: 2 });
    expect(new Set(queue.get().items.map(({ slot }) => slot)).size).toBe(6);
  });

  test("doesn't upload a file without a slot until it is given one", async () => {
    const uploads: string[] = [];
    const queue = new DocumentQueue(async (slot, { name }) => void uploads.push(`${name} → ${slot}`));
    await queue.add([file("passport 1"), file("passport 2")], {});
    expect(slotsIn(queue)).toEqual(["passport 1 → passport", "passport 2 → null"]);
    await queue.submit();
    expect(uploads).toEqual(["passport 1 → passport"]);
    queue.assign(2, "cv");
    await queue.submit();
    expect(uploads).toEqual(["passport 1 → passport", "passport 2 → cv"]);
  });

  test("takes the slot of an earlier file, unless the new file is refused", async () => {
    const queue = new DocumentQueue(done);
    await queue.add([file("old.pdf")], {});
    const [old] = queue.get().items;
    const slot = old?.slot ?? "cv";
    await queue.addTo(slot, file("empty.pdf", new Uint8Array()));
    expect(slotsIn(queue)).toEqual([`old.pdf → ${slot}`, "empty.pdf → null"]);
    await queue.addTo(slot, file("new.pdf"));
    expect(slotsIn(queue)).toEqual(["old.pdf → null", `new.pdf → ${slot}`]);
  });

  test("swaps the slots of two files", async () => {
    const queue = new DocumentQueue(done);
    await queue.addTo("passport", file("new"));
    await queue.addTo("cv", file("cv"));
    const [first] = queue.get().items;
    queue.assign(first?.id ?? 0, "cv");
    expect(slotsIn(queue)).toEqual(["new → cv", "cv → passport"]);
    queue.remove(first?.id ?? 0);
    expect(slotsIn(queue)).toEqual(["cv → passport"]);
  });

  test("refuses an unusable file immediately, without a slot and without sending it", async () => {
    const queue = new DocumentQueue(() => Promise.reject(new Error("was sent")));
    const page = bytesOf("<!doctype html>");
    const bad = [file("empty.pdf", new Uint8Array()), file("x".repeat(300)), file("page.pdf", page)];
    await queue.add([...bad, file("cv.pdf")], {});
    const messages = statesIn(queue).map((state) => (state.kind === "refused" ? state.message : state.kind));
    expect(messages).toEqual([
      expect.stringContaining("empty"),
      expect.stringContaining("name"),
      "This isn't a PDF, JPEG or PNG file. Save it as PDF and try again.",
      "chosen",
    ]);
    expect(queue.get().items.map(({ slot }) => slot)).toEqual([null, null, null, "cv"]);
    queue.remove(queue.get().items.at(-1)?.id ?? 0);
    await queue.submit();
    expect(statesIn(queue).every(({ kind }) => kind === "refused")).toBe(true);
  });
});

describe("uploading", () => {
  test("starts over with the next choice after all files were uploaded", async () => {
    const slots: DocumentKind[] = [];
    const queue = new DocumentQueue(async (slot, _file, onProgress) => {
      onProgress(0.5);
      slots.push(slot);
    });
    await queue.add([file("a"), file("b"), file("c"), file("d")], {});
    await queue.submit();
    expect(slots.toSorted()).toEqual(["cv", "recommendation1", "statement", "transcript"]);
    expect(queue.get()).toMatchObject({ busy: false, uploaded: 4 });
    await queue.add([file("e")], {});
    expect(slotsIn(queue)).toEqual(["e → transcript"]);
    expect(queue.get().uploaded).toBe(0);
  });

  test("resends a failed file, with its error, but not a refused one", async () => {
    const uploads: string[] = [];
    const problems: Record<string, string> = { b: "unavailable", c: "invalid-argument" };
    const queue = new DocumentQueue(async (_slot, { name }) => {
      uploads.push(name);
      const code = problems[name];
      if (code) throw Object.assign(new Error(`Not ${name}.`), { code });
    });
    await queue.add([file("a"), file("b"), file("c")], {});
    await queue.submit();
    expect(statesIn(queue)).toEqual([
      { kind: "uploaded" },
      { kind: "error", message: "Not b." },
      { kind: "refused", code: "invalid-argument", message: "Not c." },
    ]);
    delete problems["b"];
    await queue.submit();
    expect(uploads).toEqual(["a", "b", "c", "b"]);
    expect(queue.get().uploaded).toBe(1);
  });

  test("uploads three files concurrently, and can't be changed meanwhile", async () => {
    const finish: (() => void)[] = [];
    const queue = new DocumentQueue(() => new Promise((resolve) => void finish.push(resolve)));
    await queue.add([file("a"), file("b"), file("c"), file("d")], {});
    const submitted = queue.submit();
    expect(finish).toHaveLength(3);
    void queue.submit();
    await queue.addTo("cv", file("e"));
    queue.remove(1);
    queue.assign(1, "passport");
    expect(slotsIn(queue)).toEqual(["a → transcript", "b → cv", "c → statement", "d → recommendation1"]);
    finish[0]?.();
    // The fourth starts as soon as one of the three is done.
    while (finish.length < 4) await Promise.resolve();
    for (const end of finish) end();
    await submitted;
    expect(queue.get().uploaded).toBe(4);
  });
});
