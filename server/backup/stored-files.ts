import type pg from "pg";
import { pictureFiles } from "#server/features/auctions/pictures/picture-files.ts";
import { filePurposes } from "#server/features/files/purposes.ts";
import type { Storage } from "#server/platform/storage.ts";

/** A file that a row names. `size` in bytes, where the row knows it. */
export type NamedFile = { key: string; size: number | null };

/** Files whose names are held in memory at a time. */
const page = 100;

/** Lists the files of a database from an earlier version, without the table `stored_file`. */
const earlierFiles = `
  select storage_key as key, size from document
  union all
  select '${filePurposes.auctionPicture.folder}/' || id || '/' || name, null
  from auction_picture cross join (values ${pictureFiles.map(({ name }) => `('${name}')`).join(", ")}) as files (name)`;

/** Lets the connection read `stored_file`, also in a database of an earlier version. */
export async function exposeStoredFiles(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "select where to_regclass('stored_file') is null and to_regclass('document') is not null",
  );
  if (rowCount !== 0) await client.query(`create temporary view stored_file as ${earlierFiles}`);
}

const cursor = "declare named_files cursor with hold for select key, size from stored_file";

/**
 * Holds the names of the files in the snapshot of the caller's transaction. PostgreSQL keeps the names when that is
 * committed, so that no transaction stays open while files are read, which may take hours.
 */
export const holdNamedFiles = async (client: pg.Client): Promise<void> => void (await client.query(cursor));

export async function* namedFiles(client: pg.Client): AsyncGenerator<NamedFile[]> {
  for (;;) {
    const { rows } = await client.query<NamedFile>(`fetch ${page} from named_files`);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Returns the size of a stored file in bytes; null if it is missing or deleted meanwhile. */
export async function storedSize(
  files: Pick<Storage["disk"], "exists" | "getMetaData">,
  key: string,
): Promise<number | null> {
  try {
    return (await files.getMetaData(key)).contentLength;
  } catch (error) {
    if (await files.exists(key)) throw error;
    return null;
  }
}
