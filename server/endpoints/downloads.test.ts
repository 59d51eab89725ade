import { once } from "node:events";
import { expect, test } from "vitest";
import { sending } from "./downloads.ts";

/** Returns an endless file, and whether it was closed. */
function endless() {
  const file = { isClosed: false };
  async function* bytes() {
    try {
      for (;;) {
        // Lets timers run.
        await new Promise((resolve) => void setImmediate(resolve));
        yield new Uint8Array(65_536);
      }
    } finally {
      file.isClosed = true;
    }
  }
  return { file, bytes: bytes() };
}

test("cuts off and closes a file whose reader has stalled", async () => {
  const { file, bytes } = endless();
  const body = sending(bytes, 600_000, 20);
  body.read(1);
  const [error] = await once(body, "error");
  expect(String(error)).toContain("read by nobody");
  expect(file.isClosed).toBe(true);
});

test("cuts off a file that takes too long, however fast it is read", async () => {
  const { bytes } = endless();
  const reading = async () => {
    for await (const piece of sending(bytes, 20)) expect(piece.length).toBeGreaterThan(0);
  };
  await expect(reading()).rejects.toThrow("took too long");
});
