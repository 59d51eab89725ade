import { readFileSync, writeFileSync } from "node:fs";
import { type Made, makePicture } from "./make-picture.ts";
import { descriptors, measuring, type Outcome } from "./picture-files.ts";

/** The process in which one stranger's picture is decoded: it gets open files, and neither a secret nor a path. */
async function work(): Promise<Outcome> {
  let made: Made;
  try {
    made = await makePicture(readFileSync(descriptors.picture));
  } catch {
    return { kind: "damaged" };
  }
  for (const [at, bytes] of made.files.entries()) writeFileSync(descriptors.firstFile + at, bytes);
  return { kind: "made", width: made.width, height: made.height };
}

function reserved(): number {
  // Other systems do not count like this; macOS bounds only a part of the memory by `ulimit -d`.
  if (process.platform !== "linux") return 0;
  const status = readFileSync("/proc/self/status", "utf8");
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
  return of("VmData") - of("RssAnon");
}

const answer = process.argv.includes(measuring)
  ? { reserved: reserved() }
  : await work().catch((error: unknown): Outcome => ({ kind: "failed", message: String(error) }));
process.stdout.write(JSON.stringify(answer));
