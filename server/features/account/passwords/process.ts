import { scrypt } from "node:crypto";
import { type Cost, type Result, type Task, task } from "./messages.ts";

/** Bytes, as ASVS recommends. */
const keyLength = 64;

const derive = (password: string, salt: string, { N, r, p }: Cost) =>
  new Promise<string>((resolve, reject) => {
    // Node refuses what takes more than 32 MiB by default.
    scrypt(password, salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key.toString("hex")),
    );
  });

/** The process that hashes passwords; how many at a time is the size of its thread pool. */
async function work({ number, password, salt, costs }: Task): Promise<Result> {
  const keys: string[] = [];
  // One after the other, so that two take as long as one of the work of both.
  for (const cost of costs) keys.push(await derive(password, salt, cost));
  return { number, keys };
}

process.on("message", (message) => {
  void work(task.parse(message)).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());
// Ctrl-C and a closed terminal reach the whole group: the server lets what is pending finish.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
