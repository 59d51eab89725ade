import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FirstSightCode } from "#contract/first-sight.ts";

/** The part of the application that was built for the server, in the folder of the built pages. */
export async function loadFirstSight(build: string): Promise<FirstSightCode> {
  const code: FirstSightCode = await import(pathToFileURL(join(build, "first-sight/first-sight.js")).href);
  return code;
}
