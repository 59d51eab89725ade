import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { storedFilesIn } from "#server/features/files/tidy-files.ts";
import { dayBefore, orphans } from "#server/platform/orphans.ts";
import { connected } from "#server/platform/prepare-database.ts";
import type { Storage } from "#server/platform/storage.ts";
import type { Services } from "#server/services.ts";
import { holdNamedFiles, type NamedFile, namedFiles, storedSize } from "./stored-files.ts";

/** The methods of the store that the check calls. */
export type CheckedFiles = Pick<Storage["disk"], "exists" | "getMetaData" | "listAll">;

/** A file that a row names, but that is missing in the store or differs from the row. */
type WrongFile = { key: string; problem: string };

/** Most wrong files that are named in the log. All are counted. */
const mostNamed = 20;

/** Checks every file that was held with `holdNamedFiles`. Returns their number. */
export async function checkNamedFiles(
  client: pg.Client,
  files: CheckedFiles,
  report: (wrong: WrongFile) => void,
): Promise<number> {
  let count = 0;
  for await (const page of namedFiles(client)) {
    count += page.length;
    const wrong = await wrongFiles(files, page);
    // A document may have been deleted meanwhile.
    const stillRecorded = await recorded(client, wrong);
    for (const each of wrong) if (stillRecorded.has(each.key)) report(each);
  }
  return count;
}

/** Returns the keys of those files that a row names now. */
async function recorded(client: pg.Client, wrong: readonly WrongFile[]): Promise<ReadonlySet<string>> {
  if (wrong.length === 0) return new Set();
  return await storedFilesIn(drizzle(client)).recordedAmong(wrong.map(({ key }) => key));
}

async function wrongFiles(files: CheckedFiles, page: readonly NamedFile[]): Promise<WrongFile[]> {
  const verdicts = await Promise.all(
    page.map(async ({ key, size }) => {
      const bytes = await storedSize(files, key);
      if (bytes === null) return { key, problem: "missing" };
      if (bytes === 0) return { key, problem: "empty" };
      if (size === null || size === bytes) return [];
      return { key, problem: `has ${bytes} bytes in place of ${size}` };
    }),
  );
  return verdicts.flat();
}

/** Counts the files that no row names and that no upload can still be about to record. */
export async function countOrphans(
  client: pg.Client,
  files: CheckedFiles,
  now = new Date(),
): Promise<number> {
  const records = storedFilesIn(drizzle(client));
  let count = 0;
  for await (const keys of orphans(files, records, dayBefore(now))) count += keys.length;
  return count;
}

/** Checks every file that a row names, and reports missing and damaged ones in the log and the metric. */
export async function checkStore({
  database: { address, db },
  storage: { disk },
  log,
}: Pick<Services, "database" | "storage" | "log">): Promise<void> {
  const wrong: string[] = [];
  let problems = 0;
  const files = await connected(address, async (client) => {
    await client.query("begin read only");
    await holdNamedFiles(client);
    await client.query("commit");
    return await checkNamedFiles(client, disk, ({ key, problem }) => {
      problems += 1;
      if (wrong.length < mostNamed) wrong.push(`${key}: ${problem}`);
    });
  });
  const detail: AuditDetail = { files: String(files), problems: String(problems) };
  await recordAudit(db, { action: "files-checked", detail });
  if (problems > 0) log.error({ problems, files: wrong }, "files that rows name are missing or damaged");
}
