import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { memoryFolder } from "./memory-folder.ts";

const main = fileURLToPath(new URL("../../server/main.ts", import.meta.url));
/** The folder in which Node caches the server's compiled code from one process to the next. */
const compiled = fileURLToPath(new URL("../../node_modules/.cache/wayfare-code", import.meta.url));

export type Server = {
  /** The URL of its pages. */
  url: string;
  /** The id of its process. */
  pid: number;
  /** Everything it has printed so far, line by line. */
  lines: readonly string[];
  /** Waits for the first line in which `look` finds something. */
  find<Found>(look: (line: string) => Found | null): Promise<Found>;
  /** Stops it with SIGTERM, as an operator does, or with the given signals; resolves to its exit code. */
  stop(...signals: NodeJS.Signals[]): Promise<number | null>;
  /** Closes the reading end of its output. */
  closeOutput(): void;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
};

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}

/**
 * Creates a folder for a server's data, in memory if there is room. PostgreSQL, which runs as another user if the tests
 * run as root, must be able to access it.
 */
export async function dataFolder(parent?: string): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(parent ?? (await memoryFolder()) ?? tmpdir(), "wayfare-server-"));
  await chmod(folder, 0o755);
  return {
    path: join(folder, "data"),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The processes to stop if the run is cut short. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

type Command = readonly [program: string, ...words: string[]];
const server: Command = [process.execPath, main];
/** Command that starts the server with the quick password hashing of tests. */
export const quickHashing: Command = [
  process.execPath,
  "--import",
  new URL("../e2e/quick-hashing.ts", import.meta.url).href,
  main,
];
/** Command that starts the server as the README says. */
export const npmStart: Command = ["npm", "start"];

/**
 * Launches the real server in a separate process, with these variables only, and none from the developer's environment.
 */
export async function launchServer(
  variables: Record<string, string>,
  [program, ...words]: Command = server,
): Promise<Server> {
  const port = variables["PORT"] ?? String(await freePort());
  const url = `http://localhost:${port}`;
  const { PATH, HOME } = process.env;
  const child = spawn(program, words, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, HOME, NODE_COMPILE_CACHE: compiled, PORT: port, BASE_URL: url, ...variables },
  });
  running.add(child);
  const lines = linesOf(child);
  const ended = once(child, "exit").finally(() => running.delete(child));
  const end = async (signals: readonly NodeJS.Signals[]) => {
    for (const signal of signals) child.kill(signal);
    await ended;
  };
  return {
    url,
    pid: child.pid ?? 0,
    lines,
    find: finder(lines, child),
    stop: async (...signals) => {
      await end(signals.length > 0 ? signals : ["SIGTERM"]);
      return child.exitCode;
    },
    closeOutput() {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    },
    kill: () => end(["SIGKILL"]),
  };
}

/** Returns the message of a line of the log; "" for any other line. */
export function messageOf(line: string): string {
  if (!line.startsWith("{")) return "";
  const { msg }: { msg: string } = JSON.parse(line);
  return msg;
}

/** Launches the server and waits until it is ready. */
export async function startServer(variables: Record<string, string>, command?: Command): Promise<Server> {
  const started = await launchServer(variables, command);
  await started.find((line) => (messageOf(line).startsWith("Wayfare is ready") ? true : null));
  return started;
}

function linesOf(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on("line", (line) => lines.push(line));
  return lines;
}

/** Waits without a limit: a vain wait ends with the test's own time limit. */
const finder =
  (lines: readonly string[], child: ChildProcess): Server["find"] =>
  async (look) => {
    for (;;) {
      for (const line of lines) {
        const match = look(line);
        if (match !== null) return match;
      }
      if (child.exitCode !== null)
        throw new Error(`the server ended with ${child.exitCode}:\n${lines.join("\n")}`);
      await setTimeout(20);
    }
  };
