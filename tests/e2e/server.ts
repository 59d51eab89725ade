import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../server/main.ts", import.meta.url));

export type Mail = { to: string; subject: string; link: string };
export type Server = {
  /** Where the pages are. */
  url: string;
  /** Everything it printed so far, line by line. */
  lines: readonly string[];
  /** The first line that this finds something in, as soon as it is printed. */
  find<Found>(look: (line: string) => Found | null): Promise<Found>;
  /** Stops it as an operator does. Rejects unless it ends well, and if it has logged an error. */
  stop(): Promise<void>;
};

type Variables = Record<string, string>;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}

function spawnServer(url: URL, dataDir: string, variables: Variables): ChildProcess {
  const child = spawn(process.execPath, [main], {
    stdio: ["ignore", "pipe", "pipe"],
    // Nothing else of the developer's environment: a DATABASE_URL in it would not be a fresh one.
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: url.port,
      BASE_URL: url.origin,
      DATA_DIR: dataDir,
      ...variables,
    },
  });
  // A run that is cut short stops it too.
  process.once("exit", () => child.kill("SIGTERM"));
  return child;
}

/** How it ended, as soon as it has: 0 is well. */
async function endOf(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode ?? child.signalCode;
}

/** The real server with a fresh PostgreSQL of its own, in a process of its own. */
export async function startServer(variables: Variables): Promise<Server> {
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), "wayfare-stories-")), freePort()]);
  // As root, PostgreSQL runs as another user and has to pass through.
  await chmod(folder, 0o755);
  const url = new URL(`http://localhost:${port}`);
  const child = spawnServer(url, join(folder, "data"), variables);
  const lines = linesOf(child);
  const find = finder(lines, child);

  async function stop() {
    child.kill("SIGTERM");
    const end = await endOf(child);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    if (end !== 0) throw new Error(`the server ended with ${end}:\n${lines.slice(-20).join("\n")}`);
    const errors = lines.filter((line) => /"level":[56]0/.test(line));
    if (errors.length > 0) throw new Error(`the server logged errors:\n${errors.join("\n")}`);
  }
  try {
    await find((line) => (line.startsWith("Wayfare is ready") ? true : null));
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return { url: url.origin, lines, find, stop };
}

function linesOf(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on("line", (line) => lines.push(line));
  return lines;
}

/** Waits as long as the story may take: one that waits in vain ends by its own time limit. */
const finder =
  (lines: readonly string[], child: ChildProcess): Server["find"] =>
  async (look) => {
    for (;;) {
      for (const line of lines) {
        const found = look(line);
        if (found !== null) return found;
      }
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the server ended with ${await endOf(child)}:\n${lines.join("\n")}`);
      await setTimeout(20);
    }
  };

/** The mail that a line of the log tells of, or null. */
export function mailIn(line: string): Mail | null {
  if (!line.startsWith("{")) return null;
  const { msg, to, subject, link = "" } = JSON.parse(line);
  return msg === "mail written" ? { to, subject, link } : null;
}
