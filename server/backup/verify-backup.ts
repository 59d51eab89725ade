import { z } from "zod";
import { unfinishedJob } from "#server/platform/jobs.ts";
import { knownMigrations } from "#server/platform/prepare-database.ts";
import { formatVersion, type Manifest, manifestForm, names } from "./archive-format.ts";
import { BackupError, type Entry, readArchive, textOf } from "./read-archive.ts";

/** Kinds of entries, by their names. `key` is the stored file's. */
export type Part =
  | { kind: "manifest" | "sessionSecret" | "mails" }
  | { kind: "rows"; table: string }
  | { kind: "file"; key: string };

/** The form of our stored files' names, which can't lead out of the store. */
const storedKey = /^[\w-]+(\/[\w-][\w.-]*)+$/;

export function partOf({ name }: Pick<Entry, "name">): Part {
  const file = name.slice(names.files.length);
  const [table = ""] = name.slice(names.tables.length).split("/");
  if (name === names.manifest) return { kind: "manifest" };
  if (name === names.sessionSecret) return { kind: "sessionSecret" };
  if (name.startsWith(names.mails)) return { kind: "mails" };
  if (name.startsWith(names.tables)) return { kind: "rows", table };
  if (name.startsWith(names.files) && storedKey.test(file)) return { kind: "file", key: file };
  throw new BackupError(`The backup has an entry that Wayfare does not know: ${JSON.stringify(name)}.`);
}

/** `sessionSecret` is null if the backup has none. */
export type VerifiedBackup = { manifest: Manifest; sessionSecret: string | null };

/** Reads the whole file, and returns its manifest and its secret. Throws BackupError if it can't be restored. */
export async function verifyBackup(file: string, passphrase: string | null): Promise<VerifiedBackup> {
  let manifestText: string | null = null;
  let sessionSecret: string | null = null;
  let unknown: unknown = null;
  const tables = new Set<string>();
  // Throws an error of the content only if the checksum, which comes last, is valid.
  for await (const entry of readArchive(file, passphrase)) {
    if (manifestText === null && entry.name !== names.manifest) throw foreign(file);
    manifestText ??= await textOf(entry.body);
    try {
      const part = partOf(entry);
      if (part.kind === "sessionSecret") sessionSecret = await textOf(entry.body);
      if (part.kind === "rows") tables.add(part.table);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      unknown ??= error;
    }
  }
  const manifest = await readManifest(file, manifestText ?? "");
  if (unknown !== null) throw unknown;
  for (const { name } of manifest.tables) tables.delete(name);
  const [other] = tables;
  if (other !== undefined)
    throw new BackupError(`The backup has rows of a table that it does not describe: ${other}.`);
  return { manifest, sessionSecret };
}

const foreign = (file: string) => new BackupError(`${file} is not a backup of Wayfare.`);

async function readManifest(file: string, text: string): Promise<Manifest> {
  const content = json(text);
  const header = manifestForm.pick({ format: true, version: true }).safeParse(content);
  if (!header.success) throw foreign(file);
  const { wayfare = "" } = z.object({ wayfare: z.string() }).safeParse(content).data ?? {};
  const newer = new BackupError(
    `${file} was made by a newer Wayfare (${wayfare}): restore it with that version or a later one.`,
  );
  if (header.data.version > formatVersion) throw newer;
  const manifest = manifestForm.parse(content);
  const migrations = await knownMigrations();
  if (!migrations.some(({ tag, when }) => tag === manifest.migration.tag && when === manifest.migration.when))
    throw newer;
  return manifest;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const parseMails = (text: string) => z.array(unfinishedJob).parse(JSON.parse(text));
