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

/** `damaged` is also said of a file that takes too much work or memory. */
export type MadePicture = { kind: "made"; width: number; height: number } | { kind: "damaged" };

/** Seconds after which somebody is to try again when too many pictures wait. */
const crowdedPause = 10;
const crowded = () =>
  new Refusal("resource-exhausted", { message: crowdedPictures, retryAfter: crowdedPause });

/**
 * Seconds of the processor that one picture may take; the largest honest ones take less than two. Not seconds of the
 * clock: those also pass while a busy machine does something else.
 */
const processorTime = 4;
/** Milliseconds after which the machine is too busy to wait any longer. */
const longest = 30_000;

/** KiB of memory that one picture may take: twice what the largest honest ones do. With its program that is under 1 GB. */
const memory = 850_000;
/** Characters of what it prints that are read. */
const longestAnswer = 1000;

const processFile = fileURLToPath(new URL("process.ts", import.meta.url));
const root = new URL("../../../../", import.meta.url);
/** What Node lets the process's JavaScript do: read its own program, and nothing else. Decoders are no JavaScript. */
export const confinement = [
  "--permission",
  "--allow-addons",
  ...["node_modules/", "package.json", "domain/", "protocol/", "server/features/auctions/pictures/"].map(
    (path) => `--allow-fs-read=${fileURLToPath(new URL(path, root))}`,
  ),
  "--allow-fs-read=/proc/self/status",
];
/** At the soft limit the kernel sends SIGXCPU, which nothing else does; at the hard one it kills. */
const limited = `ulimit -d "$0" && ulimit -St ${processorTime} && ulimit -Ht ${processorTime + 2} && exec "$@"`;
/** No secrets in reach of a decoder, fewer arenas that hold freed memory, and none of it on disk. */
const variables = { MALLOC_ARENA_MAX: "2", VIPS_DISC_THRESHOLD: "100g" };
/** `nobody`, as Linux systems have it. */
const nobody = { uid: 65_534, gid: 65_534 };

const ourselves = {};
type User = { uid?: number; gid?: number };
/** Who runs the process, and how many KiB it may ask for. */
type Bounds = { user: User; data: number | "unlimited" };
/** `printed` is empty when it did not come to its end. */
type Ended = { printed: string; signal: string | null; isLate: boolean };

/**
 * Has pictures made ready, each in a process of its own: what a hostile file does to a decoder, it does to no other
 * picture and not to the server. One at a time on this node, with the addresses taking turns, and the accounts of an
 * address too. Started by root, the process runs as `nobody`, as long as that user can read this program.
 */
export class PictureMaker {
  readonly #log: Log;
  readonly #longest: number;
  /** A form sends three pictures of a product at once; two tabs may do so. */
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

  constructor(log: Log, longestWait = longest) {
    this.#log = log;
    this.#longest = longestWait;
  }

  /**
   * Makes the files of an account's picture, at `paths` in the order of `pictureFiles`, when its turn comes. Rejects with
   * a refusal when too many wait, or the machine is too busy.
   */
  make({ userId, address }: Actor, picture: string, paths: readonly string[]): Promise<MadePicture> {
    return this.#accounts.run(userId, () => this.#addresses.run(address, () => this.#work(picture, paths)));
  }

  /** The process that is at work on a picture. */
  workingPid(): number | null {
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
      const made = outcomeOf(await this.#run(this.#bounds, files, this.#longest));
      if (made.kind === "failed") throw new Error(`a picture could not be made ready: ${made.message}`);
      // Afterwards the files are on disk, even when the power goes.
      if (made.kind === "made") await Promise.all(files.slice(1).map((file) => file.sync()));
      return made;
    } finally {
      await closeAll(files);
    }
  }

  /** Root's process becomes `nobody`, unless the folder that Wayfare stands in is closed to everyone else. */
  async #findBounds(): Promise<Bounds> {
    const [first, other] = process.getuid?.() === 0 ? [nobody, ourselves] : [ourselves];
    const bounds = (await this.#boundsAs(first)) ?? (other && (await this.#boundsAs(other)));
    if (!bounds) throw new Error("the picture process can't be run");
    return bounds;
  }

  /** Null when this user can't run it. What Linux counts as memory includes what is only reserved, here more, there less. */
  async #boundsAs(user: User): Promise<Bounds | null> {
    const { printed, signal } = await this.#run({ user, data: "unlimited" }, [], longest, measuring);
    // It had no time to answer, which says nothing about the user.
    if (signal !== null) throw new Error(`the picture process was ended by ${signal}`);
    if (printed !== "") return { user, data: memory + reservation.parse(JSON.parse(printed)).reserved };
    this.#log.warn({ user }, "the picture process can't be run as this user");
    return null;
  }

  async #run(
    { user, data }: Bounds,
    [picture, ...files]: readonly FileHandle[],
    milliseconds: number,
    ...words: string[]
  ): Promise<Ended> {
    const command = ["-c", limited, String(data), process.execPath, ...confinement, processFile, ...words];
    const child = spawn("/bin/sh", command, {
      ...user,
      env: variables,
      cwd: "/",
      // Ctrl-C goes to the whole group: the server lets running work finish.
      detached: true,
      stdio: [picture?.fd ?? "ignore", "pipe", "ignore", ...files.map(({ fd }) => fd)],
    });
    let isLate = false;
    const clock = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, milliseconds);
    let printed = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (printed.length < longestAnswer) printed += text;
    });
    this.#current = child;
    try {
      const [, signal]: unknown[] = await once(child, "close");
      if (isLate) this.#log.warn({ milliseconds }, "a picture took too long");
      return { printed, signal: typeof signal === "string" ? signal : null, isLate };
    } finally {
      clearTimeout(clock);
      this.#current = null;
    }
  }
}

const closeAll = (files: readonly FileHandle[]) => Promise.all(files.map((file) => file.close()));

/** All of the files, or none of them. */
async function openAll(opening: readonly Promise<FileHandle>[]): Promise<FileHandle[]> {
  const settled = await Promise.allSettled(opening);
  const files = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  if (files.length === opening.length) return files;
  await closeAll(files);
  return await Promise.all(opening);
}

function outcomeOf({ printed, signal, isLate }: Ended): Outcome {
  if (printed !== "") return outcome.parse(JSON.parse(printed));
  // Its decoder broke, or it took too much memory or processor time.
  const isBroken = signal !== null && signal !== "SIGKILL";
  if (isLate) throw crowded();
  if (isBroken) return { kind: "damaged" };
  return { kind: "failed", message: "its process ended in the middle" };
}
