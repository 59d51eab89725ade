import { realpath } from "node:fs/promises";
import { attach } from "./attach.ts";
import { type Binaries, binariesFor } from "./binaries.ts";
import { type Address, addressOf, ask } from "./client.ts";
import { codeOf, orNullIfMissing } from "./files.ts";
import { initialise } from "./initialise.ts";
import { keepRunning } from "./keep-running.ts";
import { launch } from "./launch.ts";
import { isLocked, type Lock, takeLock } from "./lock.ts";
import { existingPlace, linkCluster, newPlace, openDataFolder, type Place, prepareSockets } from "./place.ts";
import { stopPostmaster } from "./postmaster.ts";
import { until } from "./until.ts";

export type EmbeddedPostgres = Address & {
  /** Whether the server that a killed Wayfare left running was taken over. */
  attached: boolean;
  /** Stops the server and gives the data folder free, within 4 seconds. Can be called again. */
  stop(): Promise<void>;
};

type Options = {
  /** Further settings of the server, `name=value`. They do not reach a server that is taken over. */
  settings?: readonly string[];
  /** Is told in a line what the operator should know. */
  say?(line: string): void;
  /** Starts the server again when it is gone. */
  keep?: boolean;
};

const refusals = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC"]);

/**
 * Starts the PostgreSQL that comes with Wayfare on a data folder, which is created when missing; resolves when
 * it answers queries. Throws an Error to show to the operator: another Wayfare runs on the folder, the folder
 * can not be used, PostgreSQL does not start.
 */
export async function startPostgres(dataDir: string, options: Options = {}): Promise<EmbeddedPostgres> {
  const folder = await named(dataDir, () => openDataFolder(dataDir));
  const lock = await named(folder, () => takeLock(folder));
  try {
    return await named(folder, () => startLocked(folder, lock, options));
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * For `npm run admin` while the server runs: the address of the PostgreSQL that a running Wayfare holds on this
 * data folder, or null if none runs. A Wayfare that is just starting is waited for.
 */
export async function runningPostgres(dataDir: string): Promise<Address | null> {
  const folder = await orNullIfMissing(realpath(dataDir));
  if (folder === null) return null;
  return named(folder, async () => {
    let address: Address | null = null;
    await until(async () => {
      if (!isLocked(folder)) return true;
      const place = await existingPlace(folder);
      if (place && (await ask(place)) === "ready") address = addressOf(place);
      return address !== null;
    }, 10_000);
    return address;
  });
}

async function startLocked(folder: string, lock: Lock, options: Options): Promise<EmbeddedPostgres> {
  const existing = await existingPlace(folder);
  const place = existing ?? (await newPlace(folder));
  const binaries = await binariesFor(place.account);
  tellPlaces(folder, place, binaries, options);
  if (!existing) await initialise(place, binaries);
  await linkCluster(folder, place);
  await prepareSockets(place);
  const attached = await attach(place);
  const launchHere = () => launch(place, binaries, options.settings ?? []);
  if (!attached) await launchHere();
  const keeper = options.keep ? keepRunning(place, launchHere, options.say ?? (() => {})) : null;
  let stopped: Promise<unknown> | null = null;
  const stop = async () => {
    stopped ??= end(place, keeper).finally(() => lock.release());
    await stopped;
  };
  return { ...addressOf(place), attached, stop };
}

type Keeper = ReturnType<typeof keepRunning>;

/** A start that is under way at this moment is cut short, or ended after it. */
async function end({ cluster }: Place, keeper: Keeper | null): Promise<void> {
  const kept = keeper?.stop();
  await stopPostmaster(cluster);
  if (!kept) return;
  await kept;
  await stopPostmaster(cluster);
}

function tellPlaces(folder: string, { home }: Place, binaries: Binaries, options: Options): void {
  const elsewhere = [
    ...(home === folder ? [] : [`the database of ${folder} is kept in ${home}`]),
    ...(binaries.copyOf === null
      ? []
      : [`the programs of ${binaries.copyOf} are copied to ${binaries.folder}`]),
  ];
  if (elsewhere.length === 0) return;
  options.say?.(
    `PostgreSQL runs as a system user who can not reach every folder of root: ${elsewhere.join(", ")}.`,
  );
}

/** Lets a refusal of the system name the data folder as well, and what to do about it. */
async function named<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (!(error instanceof Error) || code === null || !refusals.has(code)) throw error;
    throw new Error(
      `Wayfare can not use the data folder ${folder} (${error.message}): ` +
        "give the user that runs Wayfare the right to write there, or set DATA_DIR to another one.",
      { cause: error },
    );
  }
}
