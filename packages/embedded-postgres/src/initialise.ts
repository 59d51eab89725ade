import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runningAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { flushFolder, ownFolder } from "./files.ts";
import type { Location } from "./location.ts";
import { rolesOf } from "./program.ts";

const run = promisify(execFile);
const unfinished = "postgres.new-";

const options = [
  "--auth-local=trust",
  "--auth-host=reject",
  "--encoding=UTF8",
  // The built-in provider sorts and folds case the same on every machine, whatever its C library.
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--locale=C.UTF-8",
  "--data-checksums",
  "--no-instructions",
];

/** The environment variables of PostgreSQL's programs. */
export const environment = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "UTC" };

/** Creates the cluster in a temporary folder, which is renamed once it is complete. */
export async function initialise(
  { program, home, cluster, account }: Location,
  { initdb }: Binaries,
): Promise<void> {
  await removeUnfinished(home);
  // Each name is new, because the initdb of a killed program may still be writing.
  const fresh = join(home, unfinished + randomBytes(6).toString("hex"));
  await ownFolder(fresh, account);
  try {
    const args = [...options, "--username", rolesOf(program).owner, "--pgdata", fresh];
    await run(initdb, args, { ...runningAs(account), env: environment });
  } catch (error) {
    await removeUnfinished(home);
    throw new Error(`The database could not be created in ${home}: ${reason(error)}`, { cause: error });
  }
  await rename(fresh, cluster);
  await flushFolder(home);
}

async function removeUnfinished(home: string): Promise<void> {
  const folders = (await readdir(home)).filter((name) => name.startsWith(unfinished));
  const removals = folders.map((name) =>
    rm(join(home, name), { recursive: true, force: true, maxRetries: 3 }),
  );
  // Folders that can't be removed because they are still being written are removed at a later start.
  await Promise.allSettled(removals);
}

function reason(error: unknown): string {
  const output = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return output.split("\n").slice(-5).join("\n") || String(error);
}
