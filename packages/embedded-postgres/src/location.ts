import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readlink, realpath, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Account, accountForNewCluster, accountOfCluster, canEnter, isRoot } from "./account.ts";
import { orNullIfMissing, ownFolder } from "./files.ts";
import { identifierOf, type Program } from "./program.ts";

/** The places of one data folder's PostgreSQL; paths are absolute. */
export type Location = {
  program: Program;
  /** Folder that holds the cluster: the data folder, or a system folder where that is out of reach. */
  home: string;
  cluster: string;
  /** Folder of PostgreSQL's socket. */
  sockets: string;
  account: Account;
};

/** The longest address of a Unix socket that the system takes, in bytes. */
const longestSocketPath = process.platform === "darwin" ? 103 : 107;
export const socketName = ".s.PGSQL.5432";

/** Returns the folder for files that PostgreSQL's user can't reach in their usual place. */
export const systemFolder = (program: Program): string => join("/var/lib", identifierOf(program));

/** Creates the data folder when missing; returns its absolute path, free of symbolic links. */
export async function openDataFolder(dataDir: string): Promise<string> {
  const created = await mkdir(dataDir, { recursive: true });
  // Under root, PostgreSQL runs as another user, who has to pass through.
  if (created !== undefined) await chmod(dataDir, isRoot() ? 0o711 : 0o700);
  return realpath(dataDir);
}

/** Returns the location of this data folder's cluster, or null before the first start. */
export async function existingLocation(program: Program, folder: string): Promise<Location | null> {
  const home = await homeOfCluster(program, folder);
  if (home === null) return null;
  const location = locationIn(program, folder, home, await accountOfCluster(join(home, "postgres")));
  if (await canEnter(location.account, home)) return location;
  throw new Error(
    `The user that PostgreSQL runs as (uid ${location.account.uid}) can't reach ${home}: ` +
      "let it pass through the folders above (chmod o+x), or move the data folder.",
  );
}

/** Chooses the location for a first start, and creates the folder for it. */
export async function newLocation(program: Program, folder: string): Promise<Location> {
  const account = await accountForNewCluster(program);
  if (await canEnter(account, folder)) return locationIn(program, folder, folder, account);
  const home = systemHome(program, folder);
  await createPassable(program, home);
  return locationIn(program, folder, home, account);
}

/**
 * Creates a link to a cluster outside the data folder. It shows where the data is, and that data is missing if the data
 * folder is moved or the system folder is lost.
 */
export async function linkCluster(folder: string, { home, cluster }: Location): Promise<void> {
  const link = join(folder, "postgres");
  if (home === folder || (await orNullIfMissing(lstat(link)))) return;
  await symlink(cluster, link);
}

/** Creates the system folder, or one in it, so that everyone may pass through. */
export async function createPassable(program: Program, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(systemFolder(program), 0o711);
  await chmod(folder, 0o711);
}

/** Creates the private folder of the socket. */
export async function prepareSockets({ program, sockets, account }: Location): Promise<void> {
  if (sockets.startsWith(`${systemFolder(program)}/`)) await createPassable(program, dirname(sockets));
  await ownFolder(sockets, account);
}

/** Returns the folder of the socket: beside the cluster, or a short one if the path would get too long. */
function socketFolder(program: Program, folder: string, home: string): string {
  const beside = join(home, "socket");
  if (Buffer.byteLength(join(beside, socketName)) <= longestSocketPath) return beside;
  // Not os.tmpdir(): the next start has to look in the same folder, whatever its environment says.
  return isRoot()
    ? join(systemHome(program, folder), "socket")
    : join("/tmp", `${identifierOf(program)}-${shortHash(folder)}`);
}

async function homeOfCluster(program: Program, folder: string): Promise<string | null> {
  const inside = await orNullIfMissing(lstat(join(folder, "postgres")));
  if (inside?.isSymbolicLink()) return homeOfLinked(program, folder);
  if (inside) return folder;
  const home = systemHome(program, folder);
  return isRoot() && (await orNullIfMissing(lstat(join(home, "postgres")))) ? home : null;
}

async function homeOfLinked(program: Program, folder: string): Promise<string> {
  const cluster = await readlink(join(folder, "postgres"));
  const expected = join(systemHome(program, folder), "postgres");
  if (cluster !== expected) {
    throw new Error(
      `This data folder was moved or copied: its link ${join(folder, "postgres")} leads to ${cluster}, ` +
        `the database of another folder. Move that to ${expected} and remove the link, or undo the move.`,
    );
  }
  if (await orNullIfMissing(lstat(cluster))) return dirname(cluster);
  throw new Error(
    `The database of this data folder should be in ${cluster}, but isn't there: ` +
      `put it back, or remove the link ${join(folder, "postgres")} to start with an empty one.`,
  );
}

function locationIn(program: Program, folder: string, home: string, account: Account): Location {
  const sockets = socketFolder(program, folder, home);
  return { program, home, cluster: join(home, "postgres"), sockets, account };
}

function systemHome(program: Program, folder: string): string {
  return join(systemFolder(program), shortHash(folder));
}

function shortHash(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}
