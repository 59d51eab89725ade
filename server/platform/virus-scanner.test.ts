import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCounters } from "#server/metrics.ts";
import { type FakeClamd, openFakeClamd } from "#tests/fakes/clamd.ts";
import { recorder, until } from "#tests/support/wayfare.ts";
import { VirusScanner } from "./virus-scanner.ts";

let clamd: FakeClamd;
let file: string;
beforeAll(async () => {
  clamd = await openFakeClamd();
  file = join(await mkdtemp(join(tmpdir(), "wayfare-scan-")), "file");
  await writeFile(file, "x".repeat(200_000));
});
afterAll(() => clamd.close());

function scanner(longest?: number) {
  const { log, lines } = recorder();
  const scans = createCounters(null).virusScans;
  const address = { host: "127.0.0.1", port: clamd.port };
  return { scanner: new VirusScanner({ address, log, scans }, longest), lines, scans };
}
const outcomesOf = async ({ scans }: ReturnType<typeof scanner>) =>
  Object.fromEntries((await scans.get()).values.map(({ labels, value }) => [labels["outcome"], value]));

/** Makes the scanner hold each answer until its function in the returned list is called. */
function hold() {
  const held: (() => void)[] = [];
  clamd.answer(async () => {
    await new Promise<void>((resolve) => void held.push(resolve));
    return "stream: OK\0";
  });
  return held;
}

test("scans two files of an address concurrently, queues twenty, and refuses the next immediately", async () => {
  const held = hold();
  const some = scanner();
  const all = Array.from({ length: 23 }, () => some.scanner.scan("192.0.2.1", file));
  await expect(all[22]).rejects.toMatchObject({ code: "unavailable", data: { retryAfter: 60 } });
  // Files of other addresses are scanned meanwhile.
  all.push(some.scanner.scan("192.0.2.2", file), some.scanner.scan("192.0.2.3", file));
  for (let done = 0; done < 24; done++) {
    await until(() => held.length > done);
    expect(held.length - done).toBeLessThanOrEqual(4);
    held[done]?.();
  }
  const scanned = all.filter((_, at) => at !== 22);
  expect(await Promise.all(scanned)).toEqual(Array.from({ length: 24 }, () => ({ kind: "clean" })));
  // No scan failed, which would alert the operator.
  expect(await outcomesOf(some)).toEqual({ clean: 24 });
});

test("an address with waiting files delays no other one's", async () => {
  const held = hold();
  const some = scanner();
  const hostile = Array.from({ length: 10 }, () => some.scanner.scan("192.0.2.1", file));
  await until(() => held.length === 2);
  const honest = some.scanner.scan("192.0.2.2", file);
  await until(() => held.length === 3);
  held[2]?.();
  expect(await honest).toEqual({ kind: "clean" });
  for (let done = 0; done < 11; done++) {
    await until(() => held.length > done);
    held[done]?.();
  }
  await Promise.all(hostile);
});

test("gives up on a scanner that never answers", async () => {
  clamd.answer(() => null);
  const { scanner: some, lines } = scanner(50);
  expect(await some.scan("192.0.2.1", file)).toEqual({ kind: "failed" });
  expect(lines.at(-1)?.err?.message).toBe("the scanner took too long");
});

test("without an address nothing is scanned", async () => {
  const { log } = recorder();
  const scans = createCounters(null).virusScans;
  const none = new VirusScanner({ address: null, log, scans });
  expect(await none.scan("192.0.2.1", "/nowhere")).toEqual({ kind: "off" });
  expect((await scans.get()).values).toEqual([]);
});
