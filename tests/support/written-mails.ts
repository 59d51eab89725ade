import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Wayfare } from "./wayfare.ts";

/** Returns the mails in a server's folder, without those that it is still writing. */
export async function writtenMails(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, "mail");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
  return await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
}

/** Waits for an email with that subject to an address; returns it as it was sent. */
export async function writtenMail(
  { mail, environment }: Wayfare,
  to: string,
  subject: RegExp,
): Promise<string> {
  const line = await mail(to, subject);
  const mails = await writtenMails(environment.dataDir);
  const message = mails.find(
    (each) => each.includes(`To: ${to}`) && each.includes(`Subject: ${line.subject}`),
  );
  return (message ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
}
