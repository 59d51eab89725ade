import { realpath } from "node:fs/promises";
import { attach } from "./attach.ts";
import { type Binaries, binariesFor, type Installation } from "./binaries.ts";
import { type Addresses, addressesOf, ask, createApplicationRole } from "./client.ts";
import { errorCode } from "./error-code.ts";
import { orNullIfMissing } from "./files.ts";
import { initialise } from "./initialise.ts";
import { keepRunning } from "./keep-running.ts";
import { launch } from "./launch.ts";
import {
  existingLocation,
  type Location,
  linkCluster,
  newLocation,
  openDataFolder,
  prepareSockets,
} from "./location.ts";
import { isLocked, type Lock, takeLock } from "./lock.ts";
import { stopPostmaster } from "./postmaster.ts";
import type { Program } from "./program.ts";
import { until } from "./until.ts";
import { UnusableFolder } from "./unusable-folder.ts";
import { type Watcher, watch } from "./watcher.ts";

export { type Program, UnusableFolder };

export type EmbeddedPostgres = Addresses & {
  /** Whether the server that a killed process of the program left running was taken over. */
  attached: boolean;
  /** Stops the server and releases the data folder, within 4 seconds. Can be called again. */
  stop(): Promise<void>;
};

export type Options = {
  /** Further settings of the server, `name=value`. They do not reach a server that is taken over. */
  settings?: readonly string[];
  /** Receives a line that the operator should read. */
  say?(line: string): void;
  /** Restarts the server when it is gone. */
  keep?: boolean;
  /** Seconds after which the server stops automatically when this process has been killed. */
  graceSeconds?: number;
  /** PostgreSQL's programs, if not those of the installed package. */
  installation?: Installation;
};

const refusals = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC"]);

/**
 * Starts a PostgreSQL on the program's data folder, which is created when missing; resolves when it answers queries.
 * Throws an Error to show to the operator: UnusableFolder when the program runs on the folder already or the folder
 * can't be used, another one when PostgreSQL does not start.
 */
export async function startPostgres(
  program: Program,
  dataDir: string,
  options: Options = {},
): Promise<EmbeddedPostgres> {
  const folder = await explainRefusal(program, dataDir, () => openDataFolder(dataDir));
  const lock = await explainRefusal(program, folder, () => takeLock(program, folder));
  try {
    return await explainRefusal(program, folder, () => startLocked(program, folder, lock, options));
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Returns the addresses of the PostgreSQL that another process of the program runs on this data folder, or null if none
 * runs. Waits for one that is just starting.
 */
export async function runningPostgres(program: Program, dataDir: string): Promise<Addresses | null> {
  const folder = await orNullIfMissing(realpath(dataDir));
  if (folder === null) return null;
  return explainRefusal(program, folder, async () => {
    let address: Addresses | null = null;
    await until(async () => {
      if (!isLocked(program, folder)) return true;
      const location = await existingLocation(program, folder);
      if (location && (await ask(location)) === "ready") address = addressesOf(location);
      return address !== null;
    }, 10_000);
    return address;
  });
}

/** Whether the program has been started on this data folder before. Creates nothing. */
export async function hasCluster(program: Program, dataDir: string): Promise<boolean> {
  const folder = await orNullIfMissing(realpath(dataDir));
  if (folder === null) return false;
  return await explainRefusal(
    program,
    folder,
    async () => (await existingLocation(program, folder)) !== null,
  );
}

async function startLocked(
  program: Program,
  folder: string,
  lock: Lock,
  options: Options,
): Promise<EmbeddedPostgres> {
  const existing = await existingLocation(program, folder);
  const location = existing ?? (await newLocation(program, folder));
  const binaries = await binariesFor(location, options.installation);
  reportFolders(folder, location, binaries, options);
  if (!existing) await initialise(location, binaries);
  await linkCluster(folder, location);
  await prepareSockets(location);
  // Must come before a takeover: from now on the watcher of the process that left the server ignores it.
  const watcher = await watch(location, binaries, options.graceSeconds);
  let stopped: Promise<unknown> | null = null;
  const launchHere = () => launch(location, binaries, options.settings ?? [], () => stopped === null);
  try {
    const attached = await attach(location, binaries);
    if (!attached) await launchHere();
    await createApplicationRole(location);
    const say = options.say ?? (() => {});
    const keeper = options.keep ? keepRunning(location, binaries, launchHere, say) : null;
    const stop = async () => {
      stopped ??= end(location, binaries, keeper, watcher).finally(() => lock.release());
      await stopped;
    };
    return { ...addressesOf(location), attached, stop };
  } catch (error) {
    watcher.stop();
    throw error;
  }
}

type Keeper = ReturnType<typeof keepRunning>;

/** Stops the server, including one that the keeper is starting at this moment. */
async function end(
  location: Location,
  binaries: Binaries,
  keeper: Keeper | null,
  watcher: Watcher,
): Promise<void> {
  const stopping = keeper?.stop();
  await stopRunning(location, binaries);
  if (stopping) {
    await stopping;
    await stopRunning(location, binaries);
  }
  watcher.stop();
}

/** Stops the server unless it is absent: then its process id may be another program's. */
async function stopRunning(location: Location, binaries: Binaries): Promise<void> {
  if ((await ask(location)) !== "absent") await stopPostmaster(location, binaries);
}

function reportFolders(folder: string, { home }: Location, binaries: Binaries, options: Options): void {
  const elsewhere = [
    ...(home === folder ? [] : [`the database of ${folder} is kept in ${home}`]),
    ...(binaries.copyOf === null
      ? []
      : [`the programs of ${binaries.copyOf} are copied to ${binaries.folder}`]),
  ];
  if (elsewhere.length === 0) return;
  options.say?.(
    `PostgreSQL runs as a system user who can't reach every folder of root: ${elsewhere.join(", ")}.`,
  );
}

/** Adds the data folder, and what to do, to a refusal of the system. */
async function explainRefusal<T>(program: Program, folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    if (!(error instanceof Error) || code === null || !refusals.has(code)) throw error;
    const { name, otherFolder } = program;
    throw new UnusableFolder(
      `${name} can't use the data folder ${folder} (${error.message}): ` +
        `give the user that runs ${name} the right to write there, or ${otherFolder}.`,
      { cause: error },
    );
  }
}
