import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCounters } from "#server/metrics.ts";
import { type FakeClamd, openFakeClamd } from "#tests/fake-clamd.ts";
import { recorder, until } from "#tests/wayfare.ts";
import { VirusScanner } from "./virus-scanner.ts";

let clamd: FakeClamd;
let file: string;
beforeAll(async () => {
  clamd = await openFakeClamd();
  file = join(await mkdtemp(join(tmpdir(), "wayfare-scan-")), "file");
  await writeFile(file, "x".repeat(200_000));
});
afterAll(() => clamd.close());

function scanner(bounds: ConstructorParameters<typeof VirusScanner>[1] = {}) {
  const { log, lines } = recorder();
  const scans = createCounters(null).virusScans;
  const address = { host: "127.0.0.1", port: clamd.port };
  return { scanner: new VirusScanner({ address, log, scans }, bounds), lines, scans };
}

test("so many scans run at a time, so many wait, and the next fails at once", async () => {
  const held: (() => void)[] = [];
  clamd.answer(async () => {
    await new Promise<void>((resolve) => void held.push(resolve));
    return "stream: OK\0";
  });
  const { scanner: some, scans } = scanner({ atOnce: 2, waiting: 3 });
  const six = Array.from({ length: 6 }, () => some.scan(file));
  expect(await six[5]).toEqual({ kind: "failed" });
  for (let done = 0; done < 5; done++) {
    await until(() => held.length > done);
    // Never a third at the same time.
    expect(held.length - done).toBeLessThanOrEqual(2);
    held[done]?.();
  }
  expect(await Promise.all(six.slice(0, 5))).toEqual(Array.from({ length: 5 }, () => ({ kind: "clean" })));
  // A slot is free again afterwards.
  clamd.answer(() => "stream: OK\0");
  expect(await some.scan(file)).toEqual({ kind: "clean" });
  const { values } = await scans.get();
  expect(Object.fromEntries(values.map(({ labels, value }) => [labels["outcome"], value]))).toEqual({
    clean: 6,
    failed: 1,
  });
});

test("a scanner that never answers is given up", async () => {
  clamd.answer(() => null);
  const { scanner: some, lines } = scanner({ longest: 50 });
  expect(await some.scan(file)).toEqual({ kind: "failed" });
  expect(lines.at(-1)?.err?.message).toBe("the scanner took too long");
});

test("without an address nothing is scanned", async () => {
  const { log } = recorder();
  const scans = createCounters(null).virusScans;
  const none = new VirusScanner({ address: null, log, scans });
  expect(await none.scan("/nowhere")).toEqual({ kind: "clean" });
  expect((await scans.get()).values).toEqual([]);
});
