import { checkAll } from "#server/backup/check.ts";
import type { FileSource } from "#server/backup/create-backup.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";

/** Prints what is wrong, and what was looked at; the process then ends with 1 if anything is. */
export async function reportCheck(owner: DatabaseAddress, files: FileSource): Promise<void> {
  const { problems, ...seen } = await checkAll(owner, files, (problem) => console.log(problem));
  console.log(
    `Looked at ${seen.files} files and ${seen.bids} bids on ${seen.products} products: ${
      problems === 0 ? "nothing is wrong" : `${problems} problems`
    }.`,
  );
  if (problems > 0) process.exitCode = 1;
}
