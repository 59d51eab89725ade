import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./error-code.ts";

/**
 * Returns the secret that signs session cookies when SESSION_SECRET is not set: generated once and kept, readable only
 * by its owner. It appears complete or not at all, and the first of two nodes that start together wins.
 */
export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  return (await readSecret(dataDir)) ?? (await saveSecret(dataDir, randomBytes(32).toString("base64url")));
}

const fileIn = (dataDir: string) => join(dataDir, "session-secret");

/** Returns the secret that is kept already, or null. */
export async function readSecret(dataDir: string): Promise<string | null> {
  try {
    return await readFile(fileIn(dataDir), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Keeps this secret unless one is kept already; returns the one that is kept. */
export async function saveSecret(dataDir: string, secret: string): Promise<string> {
  const path = fileIn(dataDir);
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, secret, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await readFile(path, "utf8");
}
