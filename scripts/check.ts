import { readHead } from "#server/features/audit/verify-chain.ts";
import { operate, usableStorage, withExistingDatabase } from "./find-database.ts";
import { reportCheck } from "./report-check.ts";

const usage = `npm run check
    looks whether every file is there, every bid history is consistent and the audit log is what was written
npm run check -- POSITION:HASH
    also whether the audit log up to there is what it was when it ended so`;

const [earlier, ...others] = process.argv.slice(2);

await operate(async (environment) => {
  if (earlier === "--help" || earlier === "help") return console.log(usage);
  const head = readHead(earlier);
  if (others.length > 0 || (earlier !== undefined && head === null))
    throw new Error(`That is no end of an audit log.\n\n${usage}`);
  await withExistingDatabase(environment, async ({ owner }) => {
    const { disk } = await usableStorage(environment);
    await reportCheck(owner, disk, head);
  });
});
