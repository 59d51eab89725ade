import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { painted } from "#tests/support/pictures.ts";
import { realPng } from "#tests/support/real-png.ts";
import { until } from "#tests/support/wayfare.ts";
import { pictureFiles } from "./picture-files.ts";
import { confinement, limited, PictureMaker } from "./picture-maker.ts";

async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-pictures-"));
  // However busy the machine is, only processor time and memory limit a picture here.
  const maker = new PictureMaker(createLog("silent"), 240_000);
  onTestFinished(async () => {
    maker.stop();
    await rm(folder, { recursive: true });
  });
  async function make(account: string, bytes: Uint8Array) {
    const picture = join(folder, randomUUID());
    await writeFile(picture, bytes);
    const paths = pictureFiles.map(({ name }) => `${picture}.${name}`);
    return { made: await maker.make(actorAt(account), picture, paths), paths };
  }
  /** Creates a file that yields nothing until it is closed, so that time passes without work. */
  async function silent() {
    const path = join(folder, "silent");
    execFileSync("mkfifo", [path]);
    const writer = await open(path, "r+");
    return { path, close: () => writer.close() };
  }
  return { folder, maker, make, silent };
}

/** Returns an actor, by default at their own address. */
const actorAt = (userId: string, address = userId) => ({ userId, address });
const crowded = { code: "resource-exhausted", data: { retryAfter: 10 } };

/** Reads a /proc file of the running process. It is empty while the process starts, and once it has ended. */
const procOf = (maker: PictureMaker, file: "status" | "environ" | "autogroup"): Promise<string> =>
  until(async () => {
    const pid = maker.currentPid();
    return (pid && (await readFile(`/proc/${pid}/${file}`, "utf8").catch(() => ""))) || undefined;
  });

test("the files are written to the given paths, in their order", async () => {
  const { make } = await bench();
  const { made, paths } = await make("seller", await painted(40, 30).jpeg().toBuffer());
  expect(made).toEqual({ kind: "made", width: 40, height: 30 });
  const formats = await Promise.all(paths.map(async (path) => (await sharp(path).metadata()).format));
  expect(formats).toEqual(pictureFiles.map(({ format }) => (format === "jpg" ? "jpeg" : format)));
});

// These pictures take twenty seconds or five gigabytes without limits. An upload refuses their headers earlier.
test("a single column of 49,000,000 pixels is given up", async () => {
  const { make } = await bench();
  const hostile = await realPng({ width: 1, height: 49_000_000, depth: 16, colour: "rgba" });
  expect((await make("hostile", hostile)).made).toEqual({ kind: "damaged" });
});

test("a single row of 49,000,000 pixels is given up, and the picture of another account comes next", async () => {
  const { maker, make } = await bench();
  const hostile = await realPng({ width: 49_000_000, height: 1, depth: 16, colour: "rgba" });
  const order: string[] = [];
  const attempts = [make("hostile", hostile), make("hostile", hostile)].map(async (each) => {
    expect((await each).made).toEqual({ kind: "damaged" });
    order.push("hostile");
  });
  await until(() => maker.currentPid() ?? undefined);
  const { made } = await make("honest", await painted(40, 30).jpeg().toBuffer());
  order.push("honest");
  expect(made).toMatchObject({ kind: "made" });
  await Promise.all(attempts);
  expect(order).toEqual(["hostile", "honest", "hostile"]);
  expect(maker.currentPid()).toBeNull();
});

test("a picture can't take more memory than honest ones need", async () => {
  const { maker } = await bench();
  // The file has no end: reading it would take all memory.
  expect(await maker.make(actorAt("hostile"), "/dev/zero", [])).toEqual({ kind: "damaged" });
});

test("nothing runs without its limits", () => {
  const run = (kilobytes: string) =>
    spawnSync("/bin/sh", ["-c", limited, kilobytes, "echo", "ran"], { encoding: "utf8" }).stdout;
  expect(run("unlimited")).toBe("ran\n");
  expect(run("no number")).toBe("");
});

test("a picture that a busy machine can't finish is refused for a retry, and not called damaged", async () => {
  const { silent } = await bench();
  const maker = new PictureMaker(createLog("silent"), 500);
  const { path, close } = await silent();
  await expect(maker.make(actorAt("seller"), path, [])).rejects.toMatchObject(crowded);
  await close();
});

/** Whether the kernel divides the processors among sessions first, as most do outside containers. */
const sharesAmongSessions = await readFile("/proc/self/autogroup", "utf8").then(
  (text) => text !== "",
  () => false,
);
test.runIf(sharesAmongSessions)("a picture's session gives way to the server's", async () => {
  const { maker, make, silent } = await bench();
  // An unprivileged user changes the niceness of a session ten times a second at most.
  expect((await make("seller", await painted().jpeg().toBuffer())).made).toMatchObject({ kind: "made" });
  const { path, close } = await silent();
  const outcome = maker.make(actorAt("seller"), path, []);
  await until(async () => / nice 15$/m.test(await procOf(maker, "autogroup")) || undefined);
  await close();
  expect(await outcome).toEqual({ kind: "damaged" });
});

test.each([
  ["reads another file", `require("fs").readFileSync("/etc/passwd")`],
  ["writes a file", `require("fs").writeFileSync("/tmp/wayfare-escaped", "x")`],
  ["starts a program", `require("child_process").execFileSync("/bin/true")`],
  ["starts a thread", `new (require("worker_threads").Worker)("1", { eval: true })`],
])("code in the process that %s is refused by Node", (_, code) => {
  const { status, stderr } = spawnSync(process.execPath, [...confinement, "-e", code], { encoding: "utf8" });
  expect(status).not.toBe(0);
  expect(stderr).toContain("ERR_ACCESS_DENIED");
});

test("pictures beyond the queue's limit are refused", async () => {
  const { folder, maker } = await bench();
  const picture = join(folder, "picture");
  await writeFile(picture, await painted().jpeg().toBuffer());
  const pathsOf = (nth: number) => pictureFiles.map(({ name }) => join(folder, `${nth}.${name}`));
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, (_, nth) => maker.make(actorAt("seller"), picture, pathsOf(nth))),
  );
  expect(all.slice(0, 6).map((each) => each.status === "fulfilled" && each.value.kind)).toEqual(
    Array<string>(6).fill("made"),
  );
  for (const each of all.slice(6)) expect(each).toMatchObject({ status: "rejected", reason: crowded });
  // No file was created for the refused ones.
  expect(await readdir(folder)).toHaveLength(1 + 6 * pictureFiles.length);
});

test("twenty accounts of one address delay another address's picture by one picture", async () => {
  const { folder, maker, silent } = await bench();
  // The first picture runs until all others wait.
  const { path, close } = await silent();
  const first = maker.make(actorAt("hostile 0", "192.0.2.1"), path, []);
  await until(() => maker.currentPid() ?? undefined);
  const picture = join(folder, "picture");
  await writeFile(picture, await painted().jpeg().toBuffer());
  const order: string[] = [];
  const make = async (userId: string, address: string) => {
    const paths = pictureFiles.map(({ name }) => join(folder, `${userId}.${name}`));
    expect(await maker.make(actorAt(userId, address), picture, paths)).toMatchObject({ kind: "made" });
    order.push(address);
  };
  const hostile = Array.from({ length: 20 }, (_, nth) => make(`hostile ${nth + 1}`, "192.0.2.1"));
  const honest = make("honest", "192.0.2.2");
  await close();
  expect(await first).toEqual({ kind: "damaged" });
  await honest;
  expect(order.length).toBeLessThanOrEqual(2);
  maker.stop();
  await Promise.allSettled(hostile);
});
