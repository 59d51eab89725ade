import { spawn } from "node:child_process";
import { once } from "node:events";
import { runningAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { environment } from "./initialise.ts";
import type { Location } from "./location.ts";
import { identifierOf } from "./program.ts";

/** Seconds that the server of a killed program waits for the next one. */
const graceSeconds = 45;

/**
 * A shell that runs in the cluster's folder, even after that was moved. Its input ends with the process that started
 * it, however that ends. Only the watcher that wrote the file last acts: a process that takes over starts its own.
 */
const script = `
echo $$ > watcher.pid && echo watching || exit 1
read -r _
sleep "$1"
[ "$(cat watcher.pid)" = $$ ] || exit 0
exec "$2" stop --pgdata . --mode fast --silent
`;

export type Watcher = { stop(): void };

/** Makes sure that the server stops in order when this process is gone for `seconds` and no other has taken over. */
export async function watch(
  { program, account, cluster }: Location,
  { pgCtl }: Binaries,
  seconds = graceSeconds,
): Promise<Watcher> {
  const child = spawn("/bin/sh", ["-c", script, `${identifierOf(program)}-watcher`, String(seconds), pgCtl], {
    ...runningAs(account),
    cwd: cluster,
    env: environment,
    stdio: ["pipe", "pipe", "ignore"],
    // Runs in its own session: what ends this process must not end it too.
    detached: true,
  });
  // The program also runs without a watcher.
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  const failed = AbortSignal.timeout(5000);
  await Promise.race([once(child.stdout, "data", { signal: failed }), once(child, "close")]).catch(() => {});
  child.stdout.destroy();
  child.unref();
  return { stop: () => child.kill() };
}
