import { drizzle } from "drizzle-orm/node-postgres";
import { picturesIn } from "#server/features/auctions/pictures/commands/tidy-pictures.ts";
import { compareHead, type Head, headOf, start, verifyChain } from "#server/features/audit/verify-chain.ts";
import { documentsIn } from "#server/features/documents/commands/remove-orphans.ts";
import { type DatabaseAddress, SteadyClient } from "#server/platform/database.ts";
import { appliedMigration, knownMigrations } from "#server/platform/prepare-database.ts";
import { type BidCheck, checkBids } from "./check-bids.ts";
import type { FileSource } from "./create-backup.ts";
import { prepareSession } from "./schema.ts";
import { holdNamedFiles, type NamedFile, namedFiles } from "./stored-files.ts";

/** `head` is the end of the audit log's chain; null while the log is empty. */
export type CheckSummary = BidCheck & { files: number; head: Head | null; problems: number };

/**
 * Whether every file that a row names is in the store and as long as the row says, whether every product's bids agree
 * with each other and with what is stored of its bidding, and whether the audit log is what was written; as of one
 * moment, also while Wayfare runs. `known`: an earlier end of the log, which must be in it still.
 */
export async function checkAll(
  owner: DatabaseAddress,
  files: FileSource,
  report: (problem: string) => void,
  known: Head | null = null,
): Promise<CheckSummary> {
  const client = new SteadyClient(owner);
  await client.connect();
  let problems = 0;
  let looked = 0;
  const count = (problem: string) => {
    problems += 1;
    report(problem);
  };
  try {
    await prepareSession(client);
    await refuseOtherVersion(client);
    await client.query("begin isolation level repeatable read, read only");
    const bids = await checkBids(client, count);
    const { problems: ofAudit } = await verifyChain(client, start, Number.POSITIVE_INFINITY);
    for (const problem of ofAudit) count(`Audit log: ${problem}`);
    const gone = known && (await compareHead(client, known));
    if (gone) count(`Audit log: ${gone}`);
    const head = await headOf(client);
    await holdNamedFiles(client);
    await client.query("commit");
    for await (const page of namedFiles(client)) {
      looked += page.length;
      const wrong = await wrongFiles(files, page);
      // Somebody may have deleted a document meanwhile.
      const still = await recorded(client, wrong);
      for (const { key, problem } of wrong) if (still.has(key)) count(`File ${key}: ${problem}`);
    }
    return { ...bids, files: looked, head, problems };
  } finally {
    await client.end();
  }
}

async function refuseOtherVersion(client: SteadyClient): Promise<void> {
  const applied = await appliedMigration(client);
  const newest = (await knownMigrations()).at(-1);
  if (applied === null) throw new Error("There is no Wayfare in this database: nothing to check.");
  if (applied.when !== newest?.when)
    throw new Error("This database is that of an older Wayfare: start this one on it first.");
}

type WrongFile = { key: string; problem: string };

/** The keys of those that a row names now. */
async function recorded(client: SteadyClient, wrong: readonly WrongFile[]): Promise<ReadonlySet<string>> {
  if (wrong.length === 0) return new Set();
  const db = drizzle(client);
  const keys = wrong.map(({ key }) => key);
  const documents = await documentsIn(db).recordedAmong(keys);
  return documents.union(await picturesIn(db).recordedAmong(keys));
}

async function wrongFiles(files: FileSource, page: readonly NamedFile[]): Promise<WrongFile[]> {
  const judged = await Promise.all(
    page.map(async ({ key, size }) => {
      if (!(await files.exists(key))) return { key, problem: "missing" };
      const { contentLength } = await files.getMetaData(key);
      if (contentLength === 0) return { key, problem: "empty" };
      if (size === null || size === contentLength) return [];
      return { key, problem: `has ${contentLength} bytes in place of ${size}` };
    }),
  );
  return judged.flat();
}
