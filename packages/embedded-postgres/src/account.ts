import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import type { Program } from "./program.ts";

const run = promisify(execFile);

/** The system user that PostgreSQL runs as. */
export type Account = { uid: number; gid: number };

/** PostgreSQL refuses to run as root; everyone else runs it as themselves. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export async function accountForNewCluster(program: Program): Promise<Account> {
  return isRoot() ? systemAccount("postgres", program) : self();
}

/** Returns the owner of a cluster, as whom it runs, whether root or the owner starts it. */
export async function accountOfCluster(cluster: string): Promise<Account> {
  if (!isRoot()) return self();
  const { uid, gid } = await stat(cluster);
  if (uid === 0) {
    throw new Error(
      `The database in ${cluster} belongs to root, and PostgreSQL does not run as root: ` +
        `chown -R postgres:postgres '${cluster}' makes it usable.`,
    );
  }
  return { uid, gid };
}

/** Returns the system user of this name, created if missing. Throws if that fails. */
export async function systemAccount(name: string, program: Program): Promise<Account> {
  const existing = await lookUp(name);
  if (existing) return existing;
  const refusal = await create(name);
  // Even if useradd failed, another process may have created the user in the meantime.
  const created = await lookUp(name);
  if (created) return created;
  throw new Error(
    `PostgreSQL does not run as root, and the system user "${name}" for it could not be created ` +
      `(${refusal}): create it, or start ${program.name} as an ordinary user.`,
  );
}

/** Returns the options with which `spawn` starts a program as this account. Only root can choose one. */
export function runningAs({ uid, gid }: Account): { uid?: number; gid?: number; cwd: string } {
  return isRoot() ? { uid, gid, cwd: "/" } : { cwd: "/" };
}

/** Whether this account may enter the folder, which depends on all folders above it too. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return run("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], runningAs(account)).then(
    () => true,
    () => false,
  );
}

function self(): Account {
  return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
}

async function lookUp(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

/** Returns the reason why it failed, or null. */
async function create(name: string): Promise<string | null> {
  const options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"];
  // Debian keeps useradd outside the PATH of `su` without a login.
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` };
  return run("useradd", [...options, name], { env }).then(
    () => null,
    (error: Error & { stderr?: string }) => error.stderr?.trim() || error.message,
  );
}
