import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createClient } from "@redis/client";
import { freePort } from "#tests/support/server-process.ts";

/** The server program of Redis or Valkey, whichever is installed, or null. */
const program =
  ["redis-server", "valkey-server"].find((name) => spawnSync(name, ["--version"]).status === 0) ?? null;
/** The reason to skip tests that need Redis; "" if it is installed. */
export const noRedis = program
  ? ""
  : "there is no redis-server or valkey-server (`apt install redis-server`)";

const password = "a password of Redis";

/** A real Redis that stores nothing on disk, always on the same port. */
export class Redis {
  readonly url: string;
  readonly #port: number;
  #child: ChildProcess | null = null;

  private constructor(port: number) {
    this.#port = port;
    this.url = `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  }

  static async open(): Promise<Redis> {
    const redis = new Redis(await freePort());
    await redis.start();
    return redis;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    if (!program) throw new Error(noRedis);
    const settings = {
      port: this.#port,
      bind: "127.0.0.1",
      save: "",
      appendonly: "no",
      requirepass: password,
    };
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn(program, words, { stdio: "ignore", cwd: "/tmp" });
    this.#child = child;
    const client = createClient({ url: this.url, socket: { reconnectStrategy: () => 20 } });
    client.on("error", () => {
      if (child.exitCode !== null) client.destroy();
    });
    await client.connect();
    client.destroy();
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }
}

/** Records everything that is published on a Redis, and can cut off all its listeners. */
export async function openObserver(url: string) {
  const [listening, acting] = [createClient({ url }), createClient({ url })];
  const received: string[] = [];
  for (const client of [listening, acting]) {
    client.on("error", () => {});
    await client.connect();
  }
  await listening.pSubscribe("*", (message) => received.push(message));
  return {
    received,
    /** Closes the connections of all nodes. */
    async cutOff() {
      for (const { id, name } of await acting.clientList())
        if (name === "wayfare-events") await acting.clientKill({ filter: "ID", id });
    },
    async stop() {
      listening.destroy();
      acting.destroy();
    },
  };
}
