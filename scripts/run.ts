import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, resolve } from "node:path";

/** `failure` says how the command ended when it was not well, else null. `output` is empty where it was shown. */
export type Ran = { failure: string | null; output: string };
type Options = { show?: boolean; env?: Record<string, string>; seconds?: number };

const running = new Set<ChildProcess>();
let interrupted = false;

// Whoever stops this process stops what it has started.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill("SIGTERM");
  });

/** Runs a tool of this repository; `show`: its output goes to the terminal instead of being kept. */
export async function run(command: string, words: readonly string[], options: Options = {}): Promise<Ran> {
  if (interrupted) return { failure: `${command} was not run`, output: "" };
  const { show = false, env = {}, seconds = 300 } = options;
  // Also without npm, which puts this folder first.
  const path = `${resolve("node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(command, words, {
    stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
    env: { ...process.env, PATH: path, ...env },
    timeout: seconds * 1000,
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  try {
    const [code, signal]: unknown[] = await once(child, "close");
    const failure = code === 0 ? null : `${command} ended with ${code ?? signal}`;
    return { failure: String(failure), output };
  } catch (error) {
    return { failure: String(error), output };
  } finally {
    running.delete(child);
  }
}
