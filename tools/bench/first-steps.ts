import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "#tests/support/server-process.ts";
import { type Figure, time } from "./measure.ts";
import { inTime } from "./pace.ts";
import { folderOnDisk } from "./server-fixture.ts";

const execute = promisify(execFile);

const atMost = (name: string, value: number, most: number, detail: string): Figure => ({
  name,
  value,
  limit: `at most ${most}`,
  holds: value <= most,
  detail,
});

/** Returns the size of a folder on disk in MB. */
async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await execute("du", ["-sm", folder]);
  return Number.parseInt(stdout, 10);
}

/** Measures how long the README's steps take in a clone of the last commit, with npm's own cache. */
export async function firstSteps(): Promise<Figure[]> {
  const [clone, data] = [await mkdtemp(join(tmpdir(), "wayfare-clone-")), await folderOnDisk()];
  const modules = join(clone, "node_modules");
  const install = (...words: string[]) => execute("npm", ["ci", ...words], { cwd: clone });
  const start = async () => {
    const began = performance.now();
    const server = await startServer({ DATA_DIR: data.path }, ["npm", "--prefix", clone, "start"]);
    const seconds = (performance.now() - began) / 1000;
    await server.stop();
    return seconds;
  };
  try {
    await execute("git", ["clone", "--quiet", ".", clone]);
    const all = (await time(install)) / 1000;
    const size = await sizeOf(modules);
    const [first, next] = [await start(), await start()];
    await install("--omit=dev");
    return [
      atMost("npm ci, s", all, 60, "a fresh clone"),
      atMost("npm ci, MB", size, 900, "node_modules"),
      atMost("npm ci --omit=dev, MB", await sizeOf(modules), 350, "node_modules"),
      await inTime("first start, s", first, 25, "builds the pages and creates the database"),
      await inTime("next start, s", next, 3, "until it is ready"),
    ];
  } finally {
    await data.remove();
    await rm(clone, { recursive: true, force: true });
  }
}
