import { z } from "zod";

/**
 * A backup is a tar file in Zstandard, in age if it has a passphrase: `tar --zstd -xf` and `age -d` can read it.
 * Its entries, in this order:
 *
 * - `manifest.json`
 * - `session-secret`, if DATA_DIR has one that is used
 * - `tables/{table}/{number}`: rows as COPY writes them, in an order in which they can be added again
 * - `mails/{number}.json`: mails that have not been sent yet
 * - `files/{key}`: the stored files that rows name
 * - `end.json`, without which a file was cut short
 */
export const names = {
  manifest: "manifest.json",
  sessionSecret: "session-secret",
  tables: "tables/",
  mails: "mails/",
  files: "files/",
  end: "end.json",
} as const;

/** Raised when earlier versions could not restore the backups that are written from then on. */
export const formatVersion = 1;

const wholeText = z.string().regex(/^\d+$/);

export const manifestForm = z.object({
  format: z.literal("wayfare-backup"),
  version: z.int(),
  /** The time at which the rows were read, by the database's clock. */
  createdAt: z.iso.datetime(),
  wayfare: z.string(),
  postgres: z.string(),
  /** The last migration of the tables: its name, and its time as drizzle records it. */
  migration: z.object({ tag: z.string(), when: z.int() }),
  /** The end of the audit log, which identifies a copy of its chain; missing in backups of older versions. */
  auditHead: z.string().nullish(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The last number that each sequence has returned. */
  sequences: z.array(z.object({ name: z.string(), last: wholeText })),
});
export type Manifest = z.infer<typeof manifestForm>;

/** `sha256` is over name, length and content of every entry before it. */
export const endForm = z.object({ entries: z.int(), sha256: z.string() });

/** Returns the text that is hashed before an entry's content. */
export const digestHead = (name: string, size: number): string => `${name}\0${size}\0`;

/** First bytes of an age file, and of a Zstandard file. */
export const ageMark = Buffer.from("age-encryption.org/v1\n");
export const zstdMark = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
