import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./error-code.ts";

/**
 * The secret that signs session cookies when SESSION_SECRET is not set: made once and kept, readable by its owner
 * alone. It appears whole or not at all, and the first of two that start together wins.
 */
export async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "session-secret");
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await readFile(path, "utf8");
}
