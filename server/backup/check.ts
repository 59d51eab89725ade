import type pg from "pg";
import { compareHead, type Head, headOf, start, verifyChain } from "#server/features/audit/verify-chain.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { appliedMigration, connected, knownMigrations } from "#server/platform/prepare-database.ts";
import { type BidCheck, checkBids } from "./check-bids.ts";
import { type CheckedFiles, checkNamedFiles, countOrphans } from "./check-files.ts";
import { prepareSession } from "./schema.ts";
import { holdNamedFiles } from "./stored-files.ts";

/**
 * `head` is the end of the audit log's chain; null while the log is empty. `orphans`: files that no row names and that
 * the nightly job should have removed; they don't count as problems.
 */
export type CheckSummary = BidCheck & { files: number; orphans: number; head: Head | null; problems: number };

/**
 * Checks that every file that a row names is in the store and as long as the row says, that every product's bids agree
 * with each other and with its stored bidding, and that the audit log was not changed. Reads one snapshot, also while
 * Wayfare runs. `earlierHead`: an earlier end of the log, which must still be in it.
 */
export async function checkAll(
  owner: DatabaseAddress,
  files: CheckedFiles,
  report: (problem: string) => void,
  earlierHead: Head | null = null,
): Promise<CheckSummary> {
  let problems = 0;
  const count = (problem: string) => {
    problems += 1;
    report(problem);
  };
  return await connected(owner, async (client) => {
    await prepareSession(client);
    await refuseOtherVersion(client);
    await client.query("begin isolation level repeatable read, read only");
    const bids = await checkBids(client, count);
    const { problems: auditProblems } = await verifyChain(client, start, Number.POSITIVE_INFINITY);
    for (const problem of auditProblems) count(`Audit log: ${problem}`);
    const gone = earlierHead && (await compareHead(client, earlierHead));
    if (gone) count(`Audit log: ${gone}`);
    const head = await headOf(client);
    await holdNamedFiles(client);
    await client.query("commit");
    const fileCount = await checkNamedFiles(client, files, ({ key, problem }) =>
      count(`File ${key}: ${problem}`),
    );
    return { ...bids, files: fileCount, orphans: await countOrphans(client, files), head, problems };
  });
}

async function refuseOtherVersion(client: pg.Client): Promise<void> {
  const applied = await appliedMigration(client);
  const newest = (await knownMigrations()).at(-1);
  if (applied === null) throw new Error("There is no Wayfare in this database: nothing to check.");
  if (applied.when !== newest?.when)
    throw new Error("This database is that of an older Wayfare: start this one on it first.");
}
