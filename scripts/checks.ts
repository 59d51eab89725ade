import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, resolve } from "node:path";
import { violations } from "./layers.ts";
import { objectionToSentences } from "./sentences.ts";

/** A check of `npm run lint` or `npm test`; `look` resolves to the error, or null. */
export type Check = { name: string; look(): Promise<string | null> };

const tool = (name: string, command: string, ...words: string[]): Check => ({
  name,
  look: () => run(command, words),
});

/** Generates the types of the routes, which other checks read, so it comes first. */
export const routeTypes = tool("route types", "react-router", "typegen");

export const lintChecks: readonly Check[] = [
  tool("lint", "oxlint", "--type-aware"),
  tool("format", "biome", "check", "."),
  tool("unused code", "knip", "--no-config-hints"),
  { name: "layers", look: async () => violations().join("\n") || null },
  { name: "sentences", look: async () => objectionToSentences() },
];

export const typeChecks: readonly Check[] = [
  tool("types", "tsc", "--noEmit", "-p", "tsconfig.json"),
  tool("types of web", "tsc", "--noEmit", "-p", "web/tsconfig.json"),
];

export const build = tool("build", "node", "scripts/build.ts");

async function passes({ name, look }: Check): Promise<boolean> {
  const began = performance.now();
  const wrong = await look().catch((error: unknown) => String(error));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    wrong === null ? `ok      ${name} (${seconds} s)` : `FAILED  ${name} (${seconds} s)\n${wrong}\n`,
  );
  return wrong === null;
}

/** Runs the checks, two at a time, prints their results, and resolves to those that failed. */
export async function failing(checks: readonly Check[]): Promise<Check[]> {
  const failed: Check[] = [];
  const waiting = checks.values();
  const work = async () => {
    for (const check of waiting) if (!(await passes(check))) failed.push(check);
  };
  await Promise.all([work(), work()]);
  return failed;
}

const running = new Set<ChildProcess>();
let interrupted = false;

// Stopping this process stops the processes that it has started.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill("SIGTERM");
  });

type Options = { show?: boolean; env?: Record<string, string>; seconds?: number };

/**
 * Runs a tool of this repository for at most `seconds`. Resolves to null when it succeeds, otherwise to the reason with
 * its output; with `show` the output goes to the terminal immediately instead.
 */
export async function run(command: string, words: readonly string[], options: Options = {}) {
  if (interrupted) return `${command} was not run`;
  const { show = false, env = {}, seconds = 600 } = options;
  // Also without npm, which puts this folder first.
  const path = `${resolve("node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(command, words, {
    stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
    env: { ...process.env, PATH: path, ...env },
    timeout: seconds * 1000,
  });
  running.add(child);
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => printed.push(text));
  try {
    await once(child, "close");
    const end = child.exitCode ?? child.signalCode;
    return end === 0 ? null : `${printed.join("")}\n${command} ended with ${end}`.trim();
  } catch (error) {
    return String(error);
  } finally {
    running.delete(child);
  }
}
