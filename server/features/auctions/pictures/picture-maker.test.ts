import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { painted } from "#tests/pictures.ts";
import { createPictureMaker } from "./picture-maker.ts";

test("a picture that takes too long is given up, and the one after it is made", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-pictures-"));
  // Long enough for a new process to make a small picture on a busy machine.
  const maker = createPictureMaker(createLog("silent"), 5_000);
  onTestFinished(async () => {
    maker.stop();
    await rm(folder, { recursive: true });
  });
  // Whoever reads it waits for what nobody will ever write.
  const endless = join(folder, "endless");
  await promisify(execFile)("mkfifo", [endless]);
  expect(await maker.make(endless)).toEqual({ kind: "damaged" });
  expect(maker.workingPid()).toBeNull();

  const good = join(folder, "good");
  await painted(40, 30).jpeg().toFile(good);
  expect(await maker.make(good)).toEqual({ kind: "made", width: 40, height: 30 });
});
