import { expect, test } from "vitest";
import { writeStreaming } from "./write-streaming.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A disk that is slower than the network: it looks at what it is given only a while after. */
function slowFile() {
  const written: Buffer[] = [];
  let pending = 0;
  return {
    written,
    async writeFile(page: Uint8Array) {
      pending += 1;
      expect(pending).toBe(1);
      for (let turns = 0; turns < 5; turns++) await turn();
      written.push(Buffer.from(page));
      pending -= 1;
    },
  };
}

async function* pieces(sizes: readonly number[], failure?: Error) {
  for (const [at, size] of sizes.entries()) yield new Uint8Array(size).fill(at + 1);
  if (failure) throw failure;
}

test.each([
  ["nothing", []],
  ["one small piece", [10]],
  ["pieces that fill no page", Array.from({ length: 40 }, () => 65_536)],
  ["pieces larger than a page, and odd ones", [3_000_001, 1, 0, 524_288, 524_289, 2_000_000]],
])("%s is written as it came, in its order", async (_what, sizes) => {
  const file = slowFile();
  await writeStreaming(file, pieces(sizes));
  const expected = Buffer.concat(sizes.map((size, at) => Buffer.alloc(size, at + 1)));
  expect(Buffer.concat(file.written).equals(expected)).toBe(true);
});

test("a source that breaks off is reported after the last write is through", async () => {
  const file = slowFile();
  const failure = new Error("the line went dead");
  await expect(writeStreaming(file, pieces([600_000, 600_000], failure))).rejects.toBe(failure);
  expect(file.written).toHaveLength(2);
});

test("a disk that is full is reported, even when the source goes on", async () => {
  const full = new Error("ENOSPC");
  const file = { writeFile: () => Promise.reject(full) };
  async function* slowPieces() {
    for await (const piece of pieces([600_000, 600_000, 600_000])) {
      yield piece;
      await turn();
      await turn();
    }
  }
  await expect(writeStreaming(file, slowPieces())).rejects.toBe(full);
});
