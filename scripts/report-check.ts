import { checkAll } from "#server/backup/check.ts";
import type { CheckedFiles } from "#server/backup/check-files.ts";
import { type Head, headText } from "#server/features/audit/verify-chain.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";

/** Prints the problems and what was checked; the process then ends with 1 if there are any problems. */
export async function reportCheck(
  owner: DatabaseAddress,
  files: CheckedFiles,
  earlierHead: Head | null = null,
): Promise<void> {
  const { problems, head, orphans, ...counts } = await checkAll(
    owner,
    files,
    (problem) => console.log(problem),
    earlierHead,
  );
  if (head) console.log(`The audit log ends with ${headText(head)}`);
  if (orphans > 0)
    console.log(
      `No row names ${orphans === 1 ? "1 file that is" : `${orphans} files that are`} older than a day: the nightly job of a running Wayfare removes ${orphans === 1 ? "it" : "them"}.`,
    );
  console.log(
    `Looked at ${counts.files} files, ${counts.bids} bids on ${counts.products} products and the audit log: ${
      problems === 0 ? "nothing is wrong" : problems === 1 ? "1 problem" : `${problems} problems`
    }.`,
  );
  if (problems > 0) process.exitCode = 1;
}
