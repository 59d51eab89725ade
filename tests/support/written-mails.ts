import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the mails in a server's folder, without those that it is still writing. */
export async function writtenMails(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, "mail");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
  return await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
}
