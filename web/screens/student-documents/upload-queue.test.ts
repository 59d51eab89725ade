import { describe, expect, test } from "vitest";
import type { DocumentKind } from "#domain/document.ts";
import { createUploadQueue, type Send } from "./upload-queue.ts";

const file = (name: string, size = 10) => new File([new Uint8Array(size)], name);
const done: Send = async () => {};
const slotsIn = (queue: ReturnType<typeof createUploadQueue>) =>
  queue.get().items.map(({ file: { name }, slot }) => `${name} → ${slot}`);

describe("choosing", () => {
  test("several files go to the slots that are missing, in their order", () => {
    const queue = createUploadQueue(done);
    queue.add([file("a"), file("b")], { transcript: "approved", cv: "rejected" });
    expect(slotsIn(queue)).toEqual(["a → cv", "b → statement"]);
    queue.add([file("c")], { transcript: "approved", cv: "rejected" });
    expect(slotsIn(queue)).toEqual(["a → cv", "b → statement", "c → recommendation1"]);
  });

  test("more than six are left out, and it says so", () => {
    const queue = createUploadQueue(done);
    queue.add(
      Array.from({ length: 8 }, (_, at) => file(String(at))),
      {},
    );
    expect(queue.get()).toMatchObject({ leftOut: 2 });
    expect(new Set(queue.get().items.map(({ slot }) => slot)).size).toBe(6);
  });

  test("one file for a slot takes the place of another; two trade their slots", () => {
    const queue = createUploadQueue(done);
    queue.addTo("passport", file("old"));
    queue.addTo("passport", file("new"));
    queue.addTo("cv", file("cv"));
    expect(slotsIn(queue)).toEqual(["new → passport", "cv → cv"]);
    const [first] = queue.get().items;
    queue.assign(first?.id ?? 0, "cv");
    expect(slotsIn(queue)).toEqual(["new → cv", "cv → passport"]);
    queue.remove(first?.id ?? 0);
    expect(slotsIn(queue)).toEqual(["cv → passport"]);
  });
});

describe("uploading", () => {
  test("all went through; the next choice begins anew", async () => {
    const sent: DocumentKind[] = [];
    const queue = createUploadQueue(async (slot, _file, onProgress) => {
      onProgress(0.5);
      sent.push(slot);
    });
    queue.add([file("a"), file("b"), file("c"), file("d")], {});
    await queue.submit();
    expect(sent.toSorted()).toEqual(["cv", "recommendation1", "statement", "transcript"]);
    expect(queue.get()).toMatchObject({ busy: false, allUploaded: true });
    queue.add([file("e")], {});
    expect(slotsIn(queue)).toEqual(["e → transcript"]);
    expect(queue.get().allUploaded).toBe(false);
  });

  test("a file that is refused says why, the others are unaffected, and only it is sent again", async () => {
    const sent: string[] = [];
    let broken = true;
    const queue = createUploadQueue(async (_slot, { name }) => {
      sent.push(name);
      if (name === "b" && broken) throw Object.assign(new Error("Too dark."), { code: "invalid-argument" });
    });
    queue.add([file("a"), file("b"), file("c")], {});
    await queue.submit();
    expect(queue.get().items.map(({ state }) => state)).toEqual([
      { kind: "uploaded" },
      { kind: "error", message: "Too dark." },
      { kind: "uploaded" },
    ]);
    expect(queue.get().allUploaded).toBe(false);
    broken = false;
    await queue.submit();
    expect(sent).toEqual(["a", "b", "c", "b"]);
    expect(queue.get().allUploaded).toBe(true);
  });

  test("what can be told without sending is not sent", async () => {
    const queue = createUploadQueue(() => Promise.reject(new Error("was sent")));
    queue.add([file("empty.pdf", 0), file("x".repeat(300))], {});
    await queue.submit();
    const messages = queue.get().items.map(({ state }) => (state.kind === "error" ? state.message : ""));
    expect(messages[0]).toContain("empty");
    expect(messages[1]).toContain("name");
  });

  test("three at once, and nothing can be changed meanwhile", async () => {
    const finish: (() => void)[] = [];
    const queue = createUploadQueue(() => new Promise((resolve) => void finish.push(resolve)));
    queue.add([file("a"), file("b"), file("c"), file("d")], {});
    const submitted = queue.submit();
    expect(finish).toHaveLength(3);
    void queue.submit();
    queue.addTo("cv", file("e"));
    queue.remove(1);
    queue.assign(1, "passport");
    expect(slotsIn(queue)).toEqual(["a → transcript", "b → cv", "c → statement", "d → recommendation1"]);
    finish[0]?.();
    // The fourth begins as soon as one of the three is through.
    while (finish.length < 4) await Promise.resolve();
    for (const end of finish) end();
    await submitted;
    expect(queue.get().allUploaded).toBe(true);
  });
});
