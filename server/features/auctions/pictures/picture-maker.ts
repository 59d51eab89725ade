import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { crowdedPictures } from "#domain/auction-picture.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { Limiter } from "#server/platform/limiter.ts";
import type { Log } from "#server/platform/log.ts";
import { Refusal } from "#server/refusal.ts";
import { measuring, type Outcome, outcome, reservation } from "./picture-files.ts";

/** `damaged` also means that the file takes too much work or memory. */
export type MadePicture = { kind: "made"; width: number; height: number } | { kind: "damaged" };

/** Seconds after which a client should try again when too many pictures wait. */
const crowdedPause = 10;
const crowded = () =>
  new Refusal("resource-exhausted", { message: crowdedPictures, retryAfter: crowdedPause });

/**
 * Seconds of processor time that one picture may take; the largest honest ones take less than two. Wall-clock time
 * would also pass while a busy machine does something else.
 */
const processorTime = 4;
/** Milliseconds after which a picture is given up, because the machine is too busy for a user at a form to wait. */
const maxWait = 30_000;

/**
 * KiB of memory that one picture may take: twice the need of the largest honest ones, and under 1 GB including the
 * program.
 */
const memory = 850_000;
/** Characters of the process's output that are read. */
const maxOutput = 1000;

const processFile = fileURLToPath(new URL("process.ts", import.meta.url));
const root = new URL("../../../../", import.meta.url);
/**
 * Options that confine the process's JavaScript: Node lets it read its own program, and nothing else. Decoders are
 * native code.
 */
export const confinement = [
  "--permission",
  "--allow-addons",
  ...["node_modules/", "package.json", "domain/", "protocol/", "server/features/auctions/pictures/"].map(
    (path) => `--allow-fs-read=${fileURLToPath(new URL(path, root))}`,
  ),
  "--allow-fs-read=/proc/self/status",
];
/**
 * Gives logins, bids and pages priority over pictures where cores are few; niceness ranges from 0 to 19. Linux divides
 * the processors among sessions before processes, so the process, which has its own session, gives way only if that
 * session does too.
 */
const niceness = 15;
const lowerPriority = `{ echo ${niceness} > /proc/self/autogroup; } 2> /dev/null`;
/**
 * Shell command that runs a program with these limits, or not at all. Only the kernel sends SIGXCPU, at the soft limit;
 * at the hard limit it kills the process.
 */
export const limited = `${lowerPriority}; ulimit -d "$0" && ulimit -St ${processorTime} && ulimit -Ht ${processorTime + 2} && exec nice -n ${niceness} "$@"`;
/**
 * Environment that keeps secrets from decoders, limits the arenas that hold freed memory, and keeps pictures off the
 * disk.
 */
const variables = { MALLOC_ARENA_MAX: "2", VIPS_DISC_THRESHOLD: "100g" };
/** The ids of `nobody` on Linux systems. */
const nobody = { uid: 65_534, gid: 65_534 };

const currentUser = {};
type User = { uid?: number; gid?: number };
/** The user who runs the process, and the KiB that it may allocate. */
type Bounds = { user: User; data: number | "unlimited" };
/** `printed` is empty when the process did not finish. */
type ProcessEnd = { printed: string; signal: string | null; isLate: boolean };

/**
 * Makes each picture in a separate process, so that a hostile file can harm its decoder, but neither other pictures nor
 * the server. One picture is made at a time on this node; addresses take turns, and so do the accounts of an address.
 * Under root the process runs as `nobody`, if that user can read this program.
 */
export class PictureMaker {
  readonly #log: Log;
  readonly #maxWait: number;
  /** A form sends three pictures of a product concurrently, and two tabs may do so. */
  readonly #accounts = new Limiter({
    running: Number.POSITIVE_INFINITY,
    waiting: 500,
    ofKey: { running: 1, waiting: 5 },
    refusal: crowded,
  });
  readonly #addresses = new Limiter({ running: 1, waiting: 200, ofKey: { waiting: 20 }, refusal: crowded });
  #current: ChildProcess | null = null;
  #bounds: Bounds | null = null;
  #isStopped = false;

  constructor(log: Log, waitLimit = maxWait) {
    this.#log = log;
    this.#maxWait = waitLimit;
  }

  /**
   * Makes the files of an account's picture when its turn comes, at `paths` in the order of `pictureFiles`. Rejects
   * with a refusal when too many wait, or when the machine is too busy.
   */
  make({ userId, address }: Actor, picture: string, paths: readonly string[]): Promise<MadePicture> {
    return this.#accounts.run(userId, () => this.#addresses.run(address, () => this.#work(picture, paths)));
  }

  /** Returns the id of the process that is working on a picture; null if there is none. */
  currentPid(): number | null {
    return this.#current?.pid ?? null;
  }

  stop(): void {
    this.#isStopped = true;
    this.#current?.kill("SIGKILL");
  }

  async #work(picture: string, paths: readonly string[]): Promise<MadePicture> {
    const files = await openAll([open(picture, "r"), ...paths.map((path) => open(path, "wx", 0o600))]);
    try {
      this.#bounds ??= await this.#findBounds();
      if (this.#isStopped) throw new Error("the server is stopping");
      const result = outcomeOf(await this.#run(this.#bounds, files));
      if (result.kind === "failed") throw new Error(`a picture could not be made ready: ${result.message}`);
      // The files are on disk after this, even if the power fails.
      if (result.kind === "made") await Promise.all(files.slice(1).map((file) => file.sync()));
      return result;
    } finally {
      await closeAll(files);
    }
  }

  /** Finds the user to run as: root's process becomes `nobody`, unless Wayfare's folder is closed to other users. */
  async #findBounds(): Promise<Bounds> {
    const [first, other] = process.getuid?.() === 0 ? [nobody, currentUser] : [currentUser];
    const bounds = (await this.#boundsAs(first)) ?? (other && (await this.#boundsAs(other)));
    if (!bounds) throw new Error("the picture process can't be run");
    return bounds;
  }

  /**
   * Returns the bounds of a user; null if they can't run the process. Linux counts reserved memory too, which differs
   * between systems.
   */
  async #boundsAs(user: User): Promise<Bounds | null> {
    const { printed, signal, isLate } = await this.#run({ user, data: "unlimited" }, [], measuring);
    if (printed !== "") return { user, data: memory + reservation.parse(JSON.parse(printed)).reserved };
    // The process had no time to answer, which says nothing about the user.
    if (isLate) throw crowded();
    if (signal !== null) throw new Error(`the picture process was ended by ${signal}`);
    this.#log.warn({ user }, "the picture process can't be run as this user");
    return null;
  }

  async #run(
    { user, data }: Bounds,
    [picture, ...files]: readonly FileHandle[],
    ...args: string[]
  ): Promise<ProcessEnd> {
    const command = ["-c", limited, String(data), process.execPath, ...confinement, processFile, ...args];
    const child = spawn("/bin/sh", command, {
      ...user,
      env: variables,
      cwd: "/",
      // Ctrl-C goes to the whole process group, but the server lets running work finish.
      detached: true,
      stdio: [picture?.fd ?? "ignore", "pipe", "ignore", ...files.map(({ fd }) => fd)],
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, this.#maxWait);
    let printed = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (printed.length < maxOutput) printed += text;
    });
    this.#current = child;
    try {
      const [, signal]: unknown[] = await once(child, "close");
      if (isLate) this.#log.warn({ milliseconds: this.#maxWait }, "a picture took too long");
      return { printed, signal: typeof signal === "string" ? signal : null, isLate };
    } finally {
      clearTimeout(timer);
      this.#current = null;
    }
  }
}

const closeAll = (files: readonly FileHandle[]) => Promise.all(files.map((file) => file.close()));

/** Opens all of the files, or none. */
async function openAll(opening: readonly Promise<FileHandle>[]): Promise<FileHandle[]> {
  const settled = await Promise.allSettled(opening);
  const files = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  if (files.length === opening.length) return files;
  await closeAll(files);
  return await Promise.all(opening);
}

function outcomeOf({ printed, signal, isLate }: ProcessEnd): Outcome {
  if (printed !== "") return outcome.parse(JSON.parse(printed));
  // The decoder crashed, or took too much memory or processor time.
  const isBroken = signal !== null && signal !== "SIGKILL";
  if (isLate) throw crowded();
  if (isBroken) return { kind: "damaged" };
  return { kind: "failed", message: "its process ended in the middle" };
}
